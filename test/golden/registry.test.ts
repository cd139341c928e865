/** The recorded life of the registry, with the changes between the recorded requests made again. */

import { existsSync } from 'node:fs';
import { cp, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { graphMaker } from '../../src/cli/graph-maker.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';
import { type Recording, recordings, SHARED } from './recordings.js';

const recorded = new Map(recordings('routers').map((recording) => [`${recording.city} ${recording.name}`, recording]));
const replay = recorded.size > 0 && existsSync(path.join(SHARED, 'data', 'pdx')) ? test : test.skip;

/** The rental service of this router is live data, which this test does not start; the time of a build is its own. */
function comparable(info: any) {
  const { buildTime, hasBikeSharing, transitModes, travelOptions, polygon, ...rest } = info;
  const numbers = (values: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? value.toFixed(5) : value]),
    );
  const ring = polygon.coordinates[0].map((point: number[]) => point.map((value) => value.toFixed(5)).join());
  return { ...numbers(rest), modes: [...transitModes].sort(), corners: [...new Set(ring)].sort() };
}

replay('every state of the registry answers as it was recorded', async (t) => {
  const graphs = await temporaryDirectory(t);
  await mkdir(path.join(graphs, 'pdx'));
  await cp(path.join(SHARED, 'data', 'pdx'), path.join(graphs, 'pdx'), { recursive: true });
  const app = await startApp(t, [], { maker: await graphMaker(), flags: { graphs, insecure: true } });
  const change = async (method: string, target: string, body?: Buffer) => {
    const headers: Record<string, string> = body ? { 'Content-Type': 'application/octet-stream' } : {};
    const sent = body ? { body: new Uint8Array(body) } : {};
    return (await app.request(target, { method, headers, ...sent })).status;
  };
  /** Asks what was asked, and compares status and content. */
  const agrees = async (name: string) => {
    const { path: target, status, body } = recorded.get(`pdx ${name}`) as Recording;
    const answer = await app.get(target);
    t.is(answer.status, status, name);
    const text = await answer.text();
    if (status === 200 && !target.includes('/plan')) {
      t.deepEqual(comparable(JSON.parse(text)), comparable(JSON.parse(body.toString('utf8'))), name);
    } else if (status !== 200) {
      t.is(text, body.toString('utf8'), name);
    }
    return text;
  };

  t.is(await change('PUT', '/routers/pdx'), 201);
  await agrees('pdx');
  const graph = await readFile(path.join(graphs, 'pdx', 'Graph.obj'));
  for (const id of ['pdx2', 'pdx3', 'pdx6']) t.is(await change('POST', `/routers/${id}`, graph), 201);
  for (const name of ['get-pdx2', 'get-pdx3', 'get-pdx6']) await agrees(name);
  t.truthy(JSON.parse(await agrees('plan-pdx3')).plan);
  t.is(await change('POST', '/routers/pdx2?preEvict=true', Buffer.from('junk')), 400);
  await agrees('get-pdx2-afterjunk');
  t.is(await change('DELETE', '/routers/pdx3'), 200);
  await agrees('get-pdx3-gone');
  t.is(JSON.parse(await agrees('plan-pdx3-gone')).error.message, 'GRAPH_UNAVAILABLE');
});
