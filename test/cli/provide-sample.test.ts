/** The sample town for a server that has nothing else to serve. */

import { readdirSync } from 'node:fs';
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { provideSample } from '../../src/cli/serve/provide-sample.js';
import type { ServerConfig } from '../../src/config/server-settings.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

async function setUp(t: ExecutionContext) {
  const directory = await temporaryDirectory(t);
  const graphs = path.join(directory, 'graphs');
  const config = {
    graphs,
    pointSets: path.join(directory, 'points'),
    routers: [],
    autoScan: false,
    buildOnDemand: true,
  };
  return { graphs, config: config as unknown as ServerConfig };
}

test('the sample is not copied beside a directory that cannot be read', async (t) => {
  const { graphs, config } = await setUp(t);
  await mkdir(graphs);
  // No file can have such a name, so no user can read what the link leads to.
  await symlink('town'.repeat(100), path.join(graphs, 'town'));
  await provideSample(config, pino({ enabled: false }));
  t.deepEqual(readdirSync(graphs), ['town']);
});

test('links to nothing do not keep the sample away', async (t) => {
  for (const [name, target] of [
    ['Graph.obj', 'nothing'],
    ['streets.osm.pbf', 'nothing'],
    ['town', 'nothing'],
    ['town', 'town'],
    ['default', 'nothing'],
  ] as const) {
    const { graphs, config } = await setUp(t);
    await mkdir(graphs);
    await symlink(path.join(graphs, target), path.join(graphs, name));
    const lines: string[] = [];
    await provideSample(config, pino({ level: 'warn' }, { write: (line) => lines.push(line) }));
    // The sample has no other place than that of the last link.
    t.deepEqual(readdirSync(graphs), name === 'default' ? ['default'] : ['default', name].sort());
    t.deepEqual(
      lines.map((line) => JSON.parse(line).msg),
      name === 'default' ? ['no graph yet, and the sample town cannot be copied: the directory is a broken link'] : [],
    );
  }
});

test('inputs of the sample appear only when all of them are written', async (t) => {
  const { graphs, config } = await setUp(t);
  const interrupted = path.join(graphs, 'default', '.unfinished-sample');
  await mkdir(interrupted, { recursive: true });
  for (const name of ['city.gtfs.zip', 'other.gtfs.zip']) await writeFile(path.join(interrupted, name), 'half');
  let done = false;
  const made = provideSample(config, pino({ enabled: false })).finally(() => {
    done = true;
  });
  const seen = new Set<number>();
  while (!done) {
    seen.add(visible(path.join(graphs, 'default')).length);
    await setImmediate();
  }
  await made;
  const inputs = ['city.gtfs.zip', 'elevation.tif', 'region.gtfs.zip', 'streets.osm.pbf'];
  t.deepEqual(visible(path.join(graphs, 'default')).sort(), inputs);
  t.deepEqual(readdirSync(path.join(graphs, 'default')).sort(), inputs);
  t.true((await stat(path.join(graphs, 'default', 'city.gtfs.zip'))).size > 100_000);
  t.deepEqual(
    [...seen].filter((count) => count !== 0 && count !== inputs.length),
    [],
  );
});

function visible(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}
