/** The processes of one host have the same surfaces, without Redis. */

import { cp, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { builtBefore } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startCluster } from '../support/serving-processes.js';
import { spooled } from '../support/spooled.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const town = builtBefore(test, buildSampleTown);

test('surfaces of several processes are those of one server, also after one of them was killed', async (t) => {
  const graphs = await temporaryDirectory(t);
  await mkdir(path.join(graphs, 'town'));
  await cp(town.file, path.join(graphs, 'town', 'Graph.obj'));
  const server = await startCluster(t, graphs, 3, { analyst: true }, { restartPauseMs: 10 });
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  const make = async (base: string) => {
    const query = `fromPlace=${lat},${lon}&date=2026-11-23&time=8:00am&batch=true`;
    const response = await fetch(`${base}/surfaces?${query}`, { method: 'POST' });
    t.is(response.status, 200);
    return ((await response.json()) as { id: number }).id;
  };
  const made: number[] = [];
  for (const base of server.bases()) made.push(await make(base));
  t.deepEqual(made, [0, 1, 2], 'ids count from 0');
  const raster = async (base: string, id: number) => {
    const response = await fetch(`${base}/surfaces/${id}/raster?width=100&height=80&format=image/png`);
    return `${response.status} ${Buffer.from(await response.arrayBuffer()).toString('base64')}`;
  };
  const [first = ''] = server.bases();
  const expected = await raster(first, 0);
  t.regex(expected, /^200 /);
  server.kill(0, 'SIGKILL');
  await server.complete();
  for (const base of server.bases()) for (const id of made) t.is(await raster(base, id), expected, `${base} ${id}`);
  const [some = '', other = ''] = server.bases();
  t.is((await fetch(`${some}/surfaces/1`, { method: 'DELETE' })).status, 200);
  t.is((await fetch(`${other}/surfaces/1`)).status, 404);
  t.is(await make(other), 3);
  const [kept = ''] = (await spooled(graphs)).filter((name) => name.endsWith('-shared'));
  t.is((await readdir(kept)).length, 3);
});
