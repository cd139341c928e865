/** A recorded sequence of registry requests, with the same changes made between them. */

import { cp, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { addonMaker } from '../../src/registry/addon-maker.js';
import { hasShared, isThere, SHARED } from '../support/needs.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';
import { type Recording, recordings } from './recordings.js';

const recorded = new Map(recordings('routers').map((recording) => [`${recording.city} ${recording.name}`, recording]));
const replay =
  isThere('a recorded life of the registry', recorded.size > 0) && hasShared('data', 'pdx') ? test : test.skip;

/**
 * The rental service of this router is live data, which this test does not start; the build time differs, and the
 * reference says nothing about the area of transit.
 */
function comparable(info: any) {
  const { buildTime, hasBikeSharing, transitModes, travelOptions, polygon, transitArea, ...rest } = info;
  const numbers = (values: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? value.toFixed(5) : value]),
    );
  const ring = polygon.coordinates[0].map((point: number[]) => point.map((value) => value.toFixed(5)).join());
  return { ...numbers(rest), modes: [...transitModes].sort(), corners: [...new Set(ring)].sort() };
}

/** A server that may be changed, with the inputs of `cities` in its graphs directory; nothing is registered yet. */
async function registryOf(t: ExecutionContext, cities: string[]) {
  const graphs = await temporaryDirectory(t);
  for (const city of cities) {
    await mkdir(path.join(graphs, city));
    await cp(path.join(SHARED, 'data', city), path.join(graphs, city), { recursive: true });
  }
  const app = await startApp(t, [], { maker: await addonMaker(), flags: { graphs, insecure: true } });
  const change = async (method: string, target: string, body?: Buffer) => {
    const headers: Record<string, string> = body ? { 'Content-Type': 'application/octet-stream' } : {};
    const sent = body ? { body: new Uint8Array(body) } : {};
    return (await app.request(target, { method, headers, ...sent })).status;
  };
  return { graphs, app, change };
}

replay('every state of the registry answers as recorded', async (t) => {
  const { graphs, app, change } = await registryOf(t, ['pdx']);
  /** Sends the recorded requests, and compares status and content. */
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

replay('the list of routers follows every change as recorded', async (t) => {
  const { graphs, app, change } = await registryOf(t, ['poa', 'pdx']);
  const list = async (name: string) => {
    const { path: target, status, body } = recorded.get(`poa ${name}`) as Recording;
    const answer = await app.get(target);
    t.is(answer.status, status, name);
    const sorted = (text: string) =>
      JSON.parse(text)
        .routerInfo.map(comparable)
        .sort((a: { routerId: string }, b: { routerId: string }) => a.routerId.localeCompare(b.routerId));
    t.deepEqual(sorted(await answer.text()), sorted(body.toString('utf8')), name);
  };
  for (const id of ['poa', 'pdx']) t.is(await change('PUT', `/routers/${id}`), 201);
  for (const name of ['list', 'list-slash', 'list-json', 'list-any']) await list(name);
  const graph = await readFile(path.join(graphs, 'pdx', 'Graph.obj'));
  for (const id of ['pdx4', 'pdx5', 'pdx6']) t.is(await change('POST', `/routers/${id}`, graph), 201);
  await mkdir(path.join(graphs, 'saved1'));
  await cp(path.join(graphs, 'pdx', 'Graph.obj'), path.join(graphs, 'saved1', 'Graph.obj'));
  t.is(await change('PUT', '/routers/saved1'), 201);
  t.is(await change('DELETE', '/routers/pdx4'), 200);
  await list('list-after-deletes');
  t.is(await change('PUT', '/routers'), 200);
  await list('list-after-reload');
  t.is(await change('DELETE', '/routers'), 200);
  await list('list-after-deleteall');
  t.is((await app.get('/routers/poa')).status, 404);
  for (const id of ['poa', 'pdx']) t.is(await change('PUT', `/routers/${id}`), 201);
  await list('list-restored');
});
