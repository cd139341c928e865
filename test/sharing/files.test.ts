/** Point sets and scenarios that are stored on one host and used on others, through a real Redis. */

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { HAS_REDIS, type RedisServer, startRedis } from '../support/redis-server.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const withRedis = HAS_REDIS ? test : test.skip;

const town = builtBefore(test, buildSampleTown);

interface Host {
  readonly app: TestApp;
  readonly directory: string;
}

/** A host with directories of its own, or those of a host that has ended. */
async function startHost(t: ExecutionContext, { url: redis }: RedisServer, previous?: Host): Promise<Host> {
  const directory = previous?.directory ?? (await temporaryDirectory(t));
  const file = path.join(directory, 'Graph.obj');
  const flags = { analyst: true, insecure: true, redis, pointSets: path.join(directory, 'pointsets') };
  const app = await startApp(t, [{ id: 'default', graph: sharedGraph(town.graph), file }], { flags });
  await app.deps.shared.values.open();
  t.teardown(() => app.deps.shared.close());
  return { app, directory };
}

const CSV = { 'Content-Type': 'text/csv' };
const rows = (jobs: number) => `lat,lon,jobs\n48.01,15.03,${jobs}\n48.02,15.04,2\n`;

const store = ({ app }: Host, id: string, body: string) =>
  app.request(`/pointsets/${id}`, { method: 'POST', body, headers: CSV });

const removeSet = ({ app }: Host, id: string) => app.request(`/pointsets/${id}`, { method: 'DELETE' });

/** The jobs at the first point of a set; undefined without the set. */
async function jobs({ app }: Host, id: string): Promise<number | undefined> {
  const response = await app.get(`/pointsets/${id}`);
  if (response.status !== 200) return undefined;
  const { features } = (await response.json()) as any;
  return features[0].properties.structured.jobs.magnitude ?? features[0].properties.structured.jobs;
}

const sets = async ({ app }: Host): Promise<string[]> =>
  (await app.json('/pointsets')).map(({ id }: { id: string }) => id);

const refusal = (response: Response) => [response.status, response.headers.get('Retry-After')];

withRedis('a point set that one host is sent is used by all, replaced by all and removed by all', async (t) => {
  const redis = await startRedis(t);
  const [a, b] = [await startHost(t, redis), await startHost(t, redis)];
  t.is((await store(a, 'work', rows(5))).status, 201);
  t.deepEqual([await jobs(b, 'work'), await sets(b)], [5, ['work']]);
  const later = await startHost(t, redis);
  t.is(await jobs(later, 'work'), 5);
  t.is((await store(later, 'work', rows(8))).status, 200);
  for (const host of [a, b, later]) t.is(await jobs(host, 'work'), 8);
  t.is((await removeSet(b, 'work')).status, 200);
  for (const host of [a, b, later]) t.deepEqual(await sets(host), []);
  t.is((await removeSet(a, 'work')).status, 404);
});

withRedis('a set that was put into a directory by hand belongs to its host', async (t) => {
  const redis = await startRedis(t);
  const [a, b] = [await startHost(t, redis), await startHost(t, redis)];
  await mkdir(path.join(a.directory, 'pointsets'), { recursive: true });
  await writeFile(path.join(a.directory, 'pointsets', 'own.csv'), rows(1));
  t.deepEqual([await sets(a), await sets(b)], [['own'], []]);
});

withRedis('a host that was disconnected follows the files that were stored and removed in the meantime', async (t) => {
  const redis = await startRedis(t);
  const [a, b] = [await startHost(t, redis), await startHost(t, redis)];
  await store(a, 'work', rows(5));
  await store(a, 'shops', rows(6));
  b.app.deps.shared.close();
  await removeSet(a, 'work');
  await store(a, 'shops', rows(7));
  const again = await startHost(t, redis, b);
  t.deepEqual([await sets(again), await jobs(again, 'shops')], [['shops'], 7]);
});

withRedis('without Redis sets are read and not stored; an empty Redis gets them back', async (t) => {
  const redis = await startRedis(t);
  const [a, b] = [await startHost(t, redis), await startHost(t, redis)];
  await store(a, 'work', rows(5));
  await redis.kill();
  t.is(await jobs(b, 'work'), 5);
  t.deepEqual(refusal(await store(b, 'work', rows(6))), [503, '2']);
  t.deepEqual(refusal(await store(b, 'more', rows(6))), [503, '2']);
  t.deepEqual(refusal(await removeSet(b, 'work')), [503, '2']);
  t.deepEqual([await jobs(b, 'work'), await sets(b)], [5, ['work']], 'nothing has changed');
  t.deepEqual((await readdir(path.join(b.directory, 'pointsets'))).length, 1);
  await redis.start();
  for (const { app } of [a, b]) await until(() => app.deps.shared.hosts?.isUp === true);
  const later = await startHost(t, redis);
  await until(async () => (await jobs(later, 'work')) === 5);
  t.is(await jobs(later, 'work'), 5);
});

withRedis('a large set arrives whole', async (t) => {
  const redis = await startRedis(t);
  const [a, b] = [await startHost(t, redis), await startHost(t, redis)];
  const body = `lat,lon,jobs\n${Array.from({ length: 200_000 }, (_, i) => `48.01,15.03,${i}`).join('\n')}\n`;
  t.true(body.length > 3 * 1024 ** 2);
  t.is((await store(a, 'large', body)).status, 201);
  t.is((await b.app.json('/pointsets/large')).n, 200_000);
  t.is(await readFile(path.join(b.directory, 'pointsets', 'large.csv'), 'utf8'), body);
});

const SCENARIO = JSON.stringify({ description: 'nothing changes', modifications: [] });
const inScenarios = '/routers/default/scenarios';
const put = ({ app }: Host, id: string, body = SCENARIO) =>
  app.request(`${inScenarios}/${id}`, { method: 'PUT', body, headers: { 'Content-Type': 'application/json' } });

withRedis('a scenario that one host is sent is listed, used and deleted by all', async (t) => {
  const redis = await startRedis(t);
  const [a, b] = [await startHost(t, redis), await startHost(t, redis)];
  const stored = await put(a, 'quiet');
  t.is(stored.status, 201, await stored.text());
  t.deepEqual(await b.app.json(inScenarios), { quiet: 'nothing changes' });
  const plan = `/routers/default/plan?fromPlace=48.0056,15.0306&toPlace=48.0304,15.0714&date=2026-11-23&time=08:00`;
  t.is((await b.app.get(`${plan}&scenario=quiet`)).status, 200);
  const later = await startHost(t, redis);
  await until(async () => 'quiet' in (await later.app.json(inScenarios)));
  t.is((await put(later, 'quiet', SCENARIO.replace('nothing', 'little'))).status, 200);
  for (const { app } of [a, b]) t.deepEqual(await app.json(inScenarios), { quiet: 'little changes' });
  const gone = await b.app.request(`${inScenarios}/quiet`, { method: 'DELETE' });
  t.is(gone.status, 200);
  for (const { app } of [a, later]) t.deepEqual(await app.json(inScenarios), {});
});

withRedis('without Redis scenarios are used and not stored', async (t) => {
  const redis = await startRedis(t);
  const [a, b] = [await startHost(t, redis), await startHost(t, redis)];
  await put(a, 'quiet');
  await redis.kill();
  t.deepEqual(await b.app.json(inScenarios), { quiet: 'nothing changes' });
  t.deepEqual(refusal(await put(b, 'more')), [503, '2']);
  t.deepEqual(await b.app.json(inScenarios), { quiet: 'nothing changes' });
});

withRedis(
  'what somebody writes into Redis by hand reaches no file outside the directory, and no other bytes',
  async (t) => {
    const redis = await startRedis(t);
    const a = await startHost(t, redis);
    await store(a, 'good', rows(1));
    const hostile = new Redis(redis.url);
    t.teardown(() => hostile.disconnect());
    const content = rows(5);
    const digest = createHash('sha256').update(content).digest('hex');
    const put = (name: string) => hostile.hset(`trestle:content:${name}`, '0', content, 'parts', '1');
    await Promise.all([put(digest), put('f'.repeat(64))]);
    const entry = (stamp: number, value: object) => ({ stamp, at: Date.now(), by: 'x', value });
    const entries = [
      ['../outside', entry(100, { digest, extension: 'csv' })],
      ['extended', entry(101, { digest, extension: 'csv/../../../outside.csv' })],
      ['executable', entry(102, { digest, extension: 'js' })],
      ['damaged', entry(103, { digest: 'f'.repeat(64), extension: 'csv' })],
      ['nothing', entry(104, {})],
      ['right', entry(105, { digest, extension: 'csv' })],
    ];
    await hostile.hset(
      'trestle:value:point sets',
      'text',
      JSON.stringify({ form: 1, forgotten: 0, entries }),
      'version',
      1,
    );
    const b = await startHost(t, redis);
    t.deepEqual([await sets(b), await jobs(b, 'right')], [['right'], 5]);
    t.deepEqual(await readdir(b.directory), ['pointsets']);
    t.deepEqual((await readdir(path.join(b.directory, 'pointsets'))).sort(), ['right.csv']);
  },
);
