/** What a server has loaded once it has answered: nothing that only commands, measurements or the sample use. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { portWhenReady } from '../../src/bench/started-server.js';
import { builtBefore } from '../support/built-graph.js';
import { MAIN } from '../support/command.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The requests. None of them needs a package that the table of dependencies calls `when needed`. */
const REQUESTS = [
  'routers/default/plan?fromPlace=48.0056,15.0306&toPlace=48.0304,15.0714&date=2026-11-23&time=08:00',
  'routers/default/isochrone?fromPlace=48.0056,15.0306&date=2026-11-23&time=08:00&cutoffSec=900',
  'routers/default/index/stops',
  'routers',
];

const town = builtBefore(test, buildSampleTown);

/** The modules of our own, and the packages, that a process has loaded, by what it leaves for a report of coverage. */
async function loadedBy(folder: string) {
  const [file = ''] = await readdir(folder);
  const { result } = JSON.parse(await readFile(path.join(folder, file), 'utf8')) as { result: Array<{ url: string }> };
  const urls = result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  const packages = urls.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
  const own = urls.flatMap((url) => /\/dist\/src\/(.+)$/.exec(url)?.[1] ?? []);
  return { packages: new Set(packages), own };
}

test('a server that has answered has loaded what the table of dependencies says, and no other work', async (t) => {
  const place = await temporaryDirectory(t);
  const coverage = path.join(place, 'coverage');
  await mkdir(path.join(place, 'graphs/default'), { recursive: true });
  await cp(town.file, path.join(place, 'graphs/default/Graph.obj'));
  const server = spawn(process.execPath, [MAIN, 'serve', '--basePath', place, '--port', '0'], {
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.teardown(() => server.kill('SIGKILL'));
  const port = await portWhenReady(server);
  for (const request of REQUESTS) {
    const answer = await fetch(`http://127.0.0.1:${port}/otp/${request}`);
    t.is(answer.status, 200, request);
    await answer.text();
  }
  server.kill('SIGTERM');
  await once(server, 'exit');
  const { packages, own } = await loadedBy(coverage);
  // Its own users begin later.
  if (packages.has('prom-client')) packages.delete('@opentelemetry/api');
  const page = await readFile(path.join(ROOT, 'docs/dependencies.md'), 'utf8');
  const table = [...page.matchAll(/^\| `([^`]+)` \|.*\| ([a-z ]+) \|$/gm)].map(([, name = '', when = '']) => ({
    name,
    when,
  }));
  t.deepEqual(
    table.filter(({ name }) => packages.has(name)).map(({ name }) => name),
    table.filter(({ name, when }) => when === 'at startup' || name === 'commander').map(({ name }) => name),
  );
  t.true(own.length > 100, String(own.length));
  t.deepEqual(
    own.filter((file) => /^bench\/series|^cli\/(?:.*\/)?run-(?!server)/.test(file)),
    [],
  );
});
