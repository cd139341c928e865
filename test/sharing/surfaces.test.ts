/** Surfaces that were made on one host and are asked for on others, through a real Redis. */

import test, { type ExecutionContext } from 'ava';
import type { ServerFlags } from '../../src/config/server-config.js';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { HAS_REDIS, type RedisServer, startRedis } from '../support/redis-server.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const withRedis = HAS_REDIS ? test : test.skip;

const town = builtBefore(test, buildSampleTown);

/** A host that serves the town as a graph with this content. */
async function startHost(
  t: ExecutionContext,
  { url: redis }: RedisServer,
  content = 'town',
  more: ServerFlags = {},
): Promise<TestApp> {
  const router = { id: 'default', graph: sharedGraph(town.graph), content };
  const pointSets = await temporaryDirectory(t);
  const app = await startApp(t, [router], { flags: { analyst: true, insecure: true, redis, pointSets, ...more } });
  await app.deps.shared.values.open();
  t.teardown(() => app.deps.shared.close());
  return app;
}

const from = () => {
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  return `fromPlace=${lat.toFixed(6)},${lon.toFixed(6)}&date=2026-11-23&time=8:00am&batch=true`;
};

const make = (app: TestApp, extra = '') => app.request(`/surfaces?${from()}${extra}`, { method: 'POST' });

async function made(app: TestApp, extra = ''): Promise<number> {
  return ((await (await make(app, extra)).json()) as { id: number }).id;
}

const remove = (app: TestApp, id: number) => app.request(`/surfaces/${id}`, { method: 'DELETE' });

const ids = async (app: TestApp): Promise<number[]> =>
  (await app.json('/surfaces')).map(({ id }: { id: number }) => id);

/** The middle of the town at a zoom. */
function tile(z: number): string {
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  const x = Math.floor(((lon + 180) / 360) * 2 ** z);
  const y = Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** z);
  return `${z}/${x}/${y}.png`;
}

/** What a host answers about a surface. */
async function answers(app: TestApp, id: number, other = id): Promise<string[]> {
  const paths = [
    '',
    '/raster?width=200&height=150&format=image/png',
    `/isotiles/${tile(14)}`,
    `/differencetiles/${other}/${tile(14)}`,
    '/isochrone?spacing=10&nMax=3',
  ];
  const all = paths.map(async (path) => {
    const response = await app.get(`/surfaces/${id}${path}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    // The features of contours get new ids with each answer.
    return `${response.status} ${bytes.toString('latin1').replaceAll(/"id":"[^"]*"/g, '')}`;
  });
  return Promise.all(all);
}

withRedis('a surface that was made on one host is answered alike by all, also by one that starts later', async (t) => {
  const redis = await startRedis(t);
  const [a, b] = [await startHost(t, redis), await startHost(t, redis)];
  const [one, other] = [await made(a, '&cutoffMinutes=40'), await made(b, '&mode=WALK')];
  const window = await made(b, '&window=10&percentiles=min,90');
  const later = await startHost(t, redis);
  for (const id of [one, other, window]) {
    const expected = await answers(a, id, other);
    for (const answer of expected) t.regex(answer, /^200 /);
    t.deepEqual(await answers(b, id, other), expected);
    t.deepEqual(await answers(later, id, other), expected);
  }
  t.deepEqual(await ids(later), await ids(a));
  t.is((await remove(later, one)).status, 200);
  for (const app of [a, b, later]) {
    t.false((await ids(app)).includes(one));
    t.is((await app.get(`/surfaces/${one}/isotiles/${tile(14)}`)).status, 400);
  }
});

withRedis('the surfaces of all hosts together take no more memory than is allowed', async (t) => {
  const redis = await startRedis(t);
  const a = await startHost(t, redis);
  const first = await made(a);
  const bytes = (await a.deps.surfaces.get(first))?.times.memoryBytes() ?? 0;
  t.true(bytes > 1000, `${bytes}`);
  const withRoom = (most: number) => startHost(t, redis, 'town', { maxSurfaceBytes: most });
  const [b, c] = [await withRoom(2 * bytes), await withRoom(2 * bytes)];
  const second = await made(b);
  t.is((await c.get(`/surfaces/${first}/isotiles/${tile(14)}`)).status, 200);
  const third = await made(c);
  for (const app of [a, b, c]) t.deepEqual(await ids(app), [first, third]);
  t.is((await a.get(`/surfaces/${second}/isotiles/${tile(14)}`)).status, 400);
  const d = await withRoom(bytes - 1);
  const refused = await make(d);
  t.deepEqual(
    [refused.status, await refused.text()],
    [413, `${bytes} bytes of surfaces, but at most ${bytes - 1} are kept (maxSurfaceBytes)\n`],
  );
});

withRedis('an indicator counts the same on the host that did not make the surface', async (t) => {
  const redis = await startRedis(t);
  const [a, b] = [await startHost(t, redis), await startHost(t, redis)];
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  const headers = { 'Content-Type': 'text/csv' };
  const body = `lat,lon,jobs\n${lat},${lon},5\n${lat + 0.002},${lon},7\n`;
  t.is((await a.request('/pointsets/jobs', { method: 'POST', body, headers })).status, 201);
  const id = await made(a);
  const counted = (app: TestApp) => app.json(`/surfaces/${id}/indicator?targets=jobs`);
  t.deepEqual(await counted(b), await counted(a));
});

withRedis('a surface that another version of the server has written cannot be shown', async (t) => {
  const redis = await startRedis(t);
  const [a, b] = [await startHost(t, redis), await startHost(t, redis)];
  const { contents } = a.deps.shared;
  if (contents === undefined) return t.fail();
  const put = contents.put.bind(contents);
  contents.put = (name) => put(name, [Buffer.from('TRSURF\0\x01')]);
  const id = await made(a);
  t.is((await b.get(`/surfaces/${id}/isotiles/${tile(14)}`)).status, 410);
});

withRedis('a surface that all hosts and Redis have lost is gone, and one that never was is unknown', async (t) => {
  const redis = await startRedis(t);
  const first = await startHost(t, redis);
  const id = await made(first);
  // As if the host had been killed, and Redis had been started again: nobody knows the surface.
  first.deps.shared.close();
  await redis.kill();
  await redis.start();
  const host = await startHost(t, redis);
  for (const path of ['', `/isotiles/${tile(14)}`]) {
    const lost = await host.get(`/surfaces/${id}${path}`);
    t.deepEqual([lost.status, await lost.text()], [410, `surface ${id} is gone: no host has it any more\n`], path);
    for (const unknown of [7, id + 1_000_000]) {
      t.true([400, 404].includes((await host.get(`/surfaces/${unknown}${path}`)).status), `${unknown}${path}`);
    }
  }
  const removed = await made(host);
  await remove(host, removed);
  t.is((await host.get(`/surfaces/${removed}`)).status, 404);
});

withRedis('a host that serves another graph says so', async (t) => {
  const redis = await startRedis(t);
  const [a, b] = [await startHost(t, redis), await startHost(t, redis, 'another')];
  const id = await made(a);
  const refused = await b.get(`/surfaces/${id}/isotiles/${tile(14)}`);
  t.deepEqual(
    [refused.status, await refused.text()],
    [410, `surface ${id} belongs to a graph of router "default" that is not served here\n`],
  );
  t.is((await b.get(`/surfaces/${id}`)).status, 200);
});

withRedis('ids differ when hosts make surfaces at once, and after Redis has lost them', async (t) => {
  const redis = await startRedis(t);
  const [a, b] = [await startHost(t, redis), await startHost(t, redis)];
  const found = await Promise.all(Array.from({ length: 10 }, (_, i) => made(i % 2 ? a : b, '&mode=WALK')));
  t.is(new Set(found).size, 10);
  for (const app of [a, b])
    t.deepEqual(
      await ids(app),
      [...found].sort((x, y) => x - y),
    );
  await redis.kill();
  await redis.start();
  let next = 0;
  await until(async () => {
    const response = await make(b, '&mode=WALK');
    if (response.status === 200) next = ((await response.json()) as { id: number }).id;
    return response.status === 200;
  });
  t.true(next > Math.max(...found));
  await until(async () => (await ids(a)).length === 11);
  t.deepEqual(
    await ids(a),
    [...found, next].sort((x, y) => x - y),
  );
});

withRedis('without Redis known surfaces are answered and new ones get 503; an empty Redis gets all back', async (t) => {
  const redis = await startRedis(t);
  const [a, b] = [await startHost(t, redis), await startHost(t, redis)];
  const [kept, dropped] = [await made(a), await made(b)];
  const expected = await answers(a, kept);
  await remove(a, dropped);
  await redis.kill();
  t.deepEqual(await answers(b, kept), expected);
  for (const refused of [await make(a), await remove(b, kept)]) {
    t.deepEqual([refused.status, refused.headers.get('Retry-After')], [503, '2']);
  }
  t.deepEqual(await ids(a), [kept]);
  await redis.start();
  for (const app of [a, b]) await until(() => app.deps.shared.hosts?.isUp === true);
  const later = await startHost(t, redis);
  await until(async () => (await ids(later)).length > 0);
  t.deepEqual(await ids(later), [kept], 'what was removed does not come back');
  t.deepEqual(await answers(later, kept), expected);
});
