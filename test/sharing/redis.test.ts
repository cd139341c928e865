/** Hosts that share their state in a real Redis, also while it is gone. */

import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { HttpError } from '../../src/http-error.js';
import { RedisConnection } from '../../src/sharing/redis-connection.js';
import { RedisValues } from '../../src/sharing/redis-values.js';
import { FakeGraph } from '../support/fake-graph.js';
import { HAS_REDIS, type RedisServer, startRedis } from '../support/redis-server.js';
import { startApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const withRedis = HAS_REDIS ? test : test.skip;

const SILENT = pino({ level: 'silent' });

/** Values of one host, and all the texts that it received. */
async function host(t: ExecutionContext, { url }: RedisServer, prefix = 'test') {
  const values = new RedisValues(new RedisConnection({ url, prefix }, SILENT), SILENT, 'test');
  const told: (string | undefined)[] = [];
  values.watch('list', async (text) => void told.push(text) as undefined);
  await values.open();
  t.teardown(() => values.close());
  await until(() => told.length > 0);
  return { values, told };
}

const add = (word: string) => async (text: string | undefined) => [...(text?.split(' ') ?? []), word].join(' ');

withRedis('when a change is done, every host knows it', async (t) => {
  const redis = await startRedis(t);
  const hosts = [await host(t, redis), await host(t, redis), await host(t, redis)];
  const other = await host(t, redis, 'other');
  await hosts[0]?.values.update('list', add('a'));
  for (const { told } of hosts) t.is(told.at(-1), 'a');
  await hosts[2]?.values.update('list', add('b'));
  for (const { told } of hosts) t.is(told.at(-1), 'a b');
  t.deepEqual(new Set(other.told), new Set([undefined]));
});

withRedis('none of several changes at once is lost', async (t) => {
  const redis = await startRedis(t);
  const hosts = [await host(t, redis), await host(t, redis), await host(t, redis)];
  const words = Array.from({ length: 30 }, (_, i) => `w${i}`);
  await Promise.all(words.map((word, i) => hosts[i % 3]?.values.update('list', add(word))));
  for (const { told } of hosts) t.deepEqual(told.at(-1)?.split(' ').sort(), [...words].sort());
});

withRedis('a change that Redis does not answer is refused within seconds', async (t) => {
  const redis = await startRedis(t);
  const { values, told } = await host(t, redis);
  redis.hang();
  const begun = performance.now();
  const error = await t.throwsAsync(values.update('list', add('a')), { instanceOf: HttpError });
  t.true(performance.now() - begun < 10_000);
  t.deepEqual([(error as HttpError).status, (error as HttpError).headers['Retry-After']], [503, '2']);
  redis.goOn();
  await until(() =>
    values.update('list', add('b')).then(
      () => true,
      () => false,
    ),
  );
  t.is(told.at(-1)?.split(' ').at(-1), 'b');
});

/** Three hosts over HTTP. */
async function hosts(t: ExecutionContext, redis: RedisServer, flags: object = {}): Promise<TestApp[]> {
  const apps: TestApp[] = [];
  for (let i = 0; i < 3; i += 1) {
    const app = await startApp(t, [{ id: 'r', graph: new FakeGraph() }], {
      flags: { insecure: true, redis: redis.url, ...flags },
    });
    await app.deps.shared.values.open();
    t.teardown(() => app.deps.shared.close());
    apps.push(app);
  }
  return apps;
}

const send = (app: TestApp | undefined, id: string): Promise<Response> => {
  const alertPatches = [{ id, alert: { alertHeaderText: 'Detour' }, route: '1:R' }];
  const init = {
    method: 'POST',
    body: JSON.stringify({ alertPatches }),
    headers: { 'Content-Type': 'application/json' },
  };
  return (app as TestApp).request('/patch/patch', init);
};

const listed = async (app: TestApp): Promise<string[]> =>
  ((await app.json('/patch/routePatches?agency=1&id=R')).alertPatches ?? []).map(({ id }: { id: string }) => id).sort();

withRedis('an alert that one host is sent is shown by all, and by those that start later', async (t) => {
  const redis = await startRedis(t);
  const apps = await hosts(t, redis);
  t.is((await send(apps[0], 'a')).status, 200);
  t.is((await send(apps[1], 'b')).status, 200);
  for (const app of apps) t.deepEqual(await listed(app), ['a', 'b']);
  const [later] = await hosts(t, redis);
  await until(async () => (await listed(later as TestApp)).length === 2);
  t.deepEqual(await listed(later as TestApp), ['a', 'b']);
});

withRedis(
  'while Redis is gone the index goes on and alerts get 503; empty again, it gets back what was confirmed',
  async (t) => {
    const redis = await startRedis(t);
    const apps = await hosts(t, redis);
    await send(apps[0], 'a');
    await redis.kill();
    const refused = await send(apps[1], 'b');
    t.deepEqual([refused.status, refused.headers.get('Retry-After')], [503, '2']);
    for (const app of apps) {
      t.is((await app.get('/routers/r/index/routes')).status, 200);
      t.deepEqual(await listed(app), ['a']);
    }
    await redis.start();
    await until(async () => (await send(apps[2], 'c')).status === 200);
    for (const app of apps) await until(async () => (await listed(app)).length === 2);
    for (const app of apps) t.deepEqual(await listed(app), ['a', 'c']);
    const [later] = await hosts(t, redis);
    await until(async () => (await listed(later as TestApp)).length === 2);
    t.deepEqual(await listed(later as TestApp), ['a', 'c']);
  },
);

withRedis('a Redis that is emptied and keeps its connections gets back what the hosts have', async (t) => {
  const redis = await startRedis(t);
  const apps = await hosts(t, redis);
  await send(apps[0], 'a');
  const commands = new Redis(redis.url);
  t.teardown(() => void commands.disconnect());
  await commands.flushall();
  const [later] = await hosts(t, redis);
  await until(async () => (await listed(later as TestApp)).length === 1);
  t.deepEqual(await listed(later as TestApp), ['a']);
});

withRedis('alerts of a later version are refused and not overwritten', async (t) => {
  const redis = await startRedis(t);
  const [app] = await hosts(t, redis);
  const place = { url: redis.url, prefix: 'trestle' };
  const later = new RedisValues(new RedisConnection(place, SILENT), SILENT, 'later');
  await later.open();
  t.teardown(() => later.close());
  const text = JSON.stringify({ form: 3, entries: [] });
  await later.update('alerts', async () => text);
  const refused = await send(app, 'a');
  t.is(refused.status, 503);
  t.regex(await refused.text(), /the shared alerts have format 3, but this version of Trestle reads format 2/);
  await later.update('alerts', async (present) => {
    t.is(present, text);
    return text;
  });
});

withRedis('a client has one share of all hosts; while Redis is gone, one of each', async (t) => {
  const redis = await startRedis(t);
  const apps = await hosts(t, redis, { maxRequestsPerMinute: 6 });
  const statuses = async () => {
    const found: number[] = [];
    for (let i = 0; i < 9; i += 1) found.push((await (apps[i % 3] as TestApp).get('/routers')).status);
    return found;
  };
  t.deepEqual(await statuses(), [200, 200, 200, 200, 200, 200, 429, 429, 429]);
  await redis.kill();
  await until(() => apps.every(({ deps }) => !deps.shared.hosts?.isUp));
  t.deepEqual(await statuses(), Array(9).fill(200));
});

withRedis('while Redis hangs, requests wait for it once and then go on', async (t) => {
  const redis = await startRedis(t);
  const [app] = await hosts(t, redis, { maxRequestsPerMinute: 600 });
  redis.hang();
  t.is((await (app as TestApp).get('/routers')).status, 200);
  const begun = performance.now();
  for (let i = 0; i < 20; i += 1) t.is((await (app as TestApp).get('/routers')).status, 200);
  // Not two seconds each.
  t.true(performance.now() - begun < 20_000);
  redis.goOn();
  await until(async () => (await send(app, 'a')).status === 200);
  t.deepEqual(await listed(app as TestApp), ['a']);
});

withRedis('a server starts without Redis, and says so in its metrics', async (t) => {
  const redis = await startRedis(t);
  await redis.kill();
  const [app] = await hosts(t, redis);
  const up = async () => /^trestle_shared_state_up (\d)/m.exec(await (app as TestApp).deps.metricsText())?.[1];
  t.is(await up(), '0');
  t.is((await (app as TestApp).get('/routers/r')).status, 200);
  t.is((await send(app, 'a')).status, 503);
  await redis.start();
  await until(async () => (await send(app, 'a')).status === 200);
  t.is(await up(), '1');
});
