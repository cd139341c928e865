/** Searches that are refused leave nothing behind. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { buildSampleTown } from '../support/sample-graph.js';

const ADDON = fileURLToPath(new URL('../../src/native/addon.js', import.meta.url));

/** Refuses all but a few searches of each kind, and prints how often. */
const SCRIPT = `
  const [addon, file] = process.argv.slice(1);
  const { Graph, configurePool } = await (await import(addon)).loadAddon();
  configurePool(1, 1);
  const graph = await Graph.open(file);
  const { centerLatitude: lat, centerLongitude: lon } = graph.info();
  const place = { lat, lon };
  const searches = [
    () => graph.stopsWithinWalk(lat, lon, 5000),
    () => graph.plan({ from: place, to: place, epochSeconds: 1795000000 }),
    () => graph.inspectorTile('traversal', 0, 0, 0),
    () => graph.geocode({ text: 'a', autocomplete: false, stops: true, clusters: false, corners: true, places: false }),
  ];
  for (const search of searches) {
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => search()));
    const refused = outcomes.filter(({ reason }) => reason?.code === 'BUSY').length;
    console.log(refused > 0 && refused < 50);
  }
  graph.dispose();
`;

test('a process that refused searches ends by itself', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, ADDON, town.file], { stdio: 'pipe' });
  const killer = setTimeout(() => child.kill('SIGKILL'), 120_000);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  }
  const [code, signal] = await once(child, 'close');
  clearTimeout(killer);
  t.deepEqual([said.trim().split('\n'), code, signal], [['true', 'true', 'true', 'true'], 0, null]);
});
