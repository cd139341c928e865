/** Live data that one host fetches for all, through a real Redis. */

import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { RedisConnection } from '../../src/sharing/redis-connection.js';
import { RedisFeeds } from '../../src/sharing/redis-feeds.js';
import { AddressRule } from '../../src/updaters/feed-address.js';
import { RemoteFile } from '../../src/updaters/remote-file.js';
import { FakeGraph } from '../support/fake-graph.js';
import { HAS_REDIS, startRedis } from '../support/redis-server.js';
import { type SourceServer, startSource } from '../support/source-server.js';
import { startApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const withRedis = HAS_REDIS ? test : test.skip;

/** A period that is never over in a test, and one that is always over. */
const [LONG_MS, SHORT_MS] = [600_000, 1];

/** A Redis, a source, and the same file on several hosts. */
async function setUp(t: ExecutionContext, answer: SourceServer['answers'][string] = 'first') {
  const redis = await startRedis(t);
  const source = await startSource(t, { '/feed': answer });
  const host = async (periodMs = LONG_MS, headers: Record<string, string> = {}) => {
    const connection = new RedisConnection({ url: redis.url, prefix: 'test' }, pino({ level: 'silent' }));
    await connection.open();
    t.teardown(() => connection.close());
    const shared = new RedisFeeds(connection, 1000);
    const rule = new AddressRule([]);
    const location = `${source.url}/feed`;
    const options = {
      location,
      directory: '.',
      rule,
      chosenBy: 'operator',
      shared,
      periodMs,
      headers,
    } as const;
    const file = new RemoteFile(options);
    const fetch = async () => {
      const bytes = await file.fetch();
      return bytes === undefined ? undefined : Buffer.from(bytes).toString();
    };
    return { file, fetch, connection };
  };
  return { redis, source, host };
}

withRedis('one of several hosts asks the source, and all get the answer', async (t) => {
  const { source, host } = await setUp(t);
  const hosts = [await host(), await host(), await host()];
  t.deepEqual(await Promise.all(hosts.map(({ fetch }) => fetch())), ['first', 'first', 'first']);
  t.is(source.count('/feed'), 1);
  t.deepEqual(await Promise.all(hosts.map(({ fetch }) => fetch())), [undefined, undefined, undefined]);
  source.answers['/feed'] = 'second';
  const impatient = await host(SHORT_MS);
  await until(async () => (await impatient.fetch()) === 'second');
  const asked = source.count('/feed');
  t.deepEqual(await Promise.all(hosts.map(({ fetch }) => fetch())), ['second', 'second', 'second']);
  // Content that could not be used is there again.
  hosts[1]?.file.forget();
  t.is(await hosts[1]?.fetch(), 'second');
  t.is(source.count('/feed'), asked);
});

withRedis('the source is asked whether anything has changed, on behalf of all', async (t) => {
  const { source, host } = await setUp(t, (request, response) => {
    if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
    else response.writeHead(200, { ETag: '"1"' }).end('only');
  });
  const hosts = [await host(SHORT_MS), await host(SHORT_MS)];
  for (const { fetch } of hosts) t.is(await fetch(), 'only');
  await until(async () => {
    t.is(await hosts[1]?.fetch(), undefined);
    return source.count('/feed') >= 4;
  });
  const asked = source.requests.slice(1).map(({ headers }) => headers['if-none-match']);
  // A host that Redis does not answer in time asks without the tag of the others.
  t.true(asked.filter((tag) => tag === '"1"').length >= 2);
});

withRedis('a request with other headers counts as another source', async (t) => {
  const { source, host } = await setUp(t, (request, response) => void response.end(`for ${request.headers['x-key']}`));
  const [first, second] = [await host(LONG_MS, { 'x-key': 'a' }), await host(LONG_MS, { 'x-key': 'b' })];
  t.deepEqual([await first.fetch(), await second.fetch()], ['for a', 'for b']);
  t.is(source.count('/feed'), 2);
});

withRedis('a failure of the source is reported by the host that asked, and the others try themselves', async (t) => {
  const { source, host } = await setUp(t, (_, response) => void response.writeHead(500).end());
  const [first, second] = [await host(), await host()];
  await t.throwsAsync(first.fetch(), { message: /status 500/ });
  source.answers['/feed'] = 'again';
  t.is(await second.fetch(), 'again');
  t.is(await first.fetch(), 'again');
});

withRedis('without Redis each host asks for itself, and together again when it is back', async (t) => {
  const { redis, source, host } = await setUp(t);
  const hosts = [await host(), await host()];
  for (const { fetch } of hosts) t.is(await fetch(), 'first');
  await redis.kill();
  await until(() => hosts.every(({ connection }) => !connection.isUp));
  source.answers['/feed'] = 'second';
  for (const { fetch } of hosts) t.is(await fetch(), 'second');
  t.is(source.count('/feed'), 3);
  await redis.start();
  await until(() => hosts.every(({ connection }) => connection.isUp));
  source.answers['/feed'] = 'third';
  for (const { fetch } of hosts) t.is(await fetch(), 'third');
  t.is(source.count('/feed'), 4);
});

withRedis('content that is too large for Redis is fetched by each host', async (t) => {
  const { source, host } = await setUp(t, 'x'.repeat(1001));
  const hosts = [await host(), await host()];
  for (const { fetch } of hosts) t.is((await fetch())?.length, 1001);
  t.is(source.count('/feed'), 2);
});

withRedis('updaters of three hosts ask their source as often as those of one', async (t) => {
  const redis = await startRedis(t);
  const source = await startSource(t, { '/parks': '<kml><Document></Document></kml>' });
  const updater = { type: 'bike-park', sourceType: 'kml-placemarks', url: `${source.url}/parks`, frequencySec: 0.5 };
  const config = { updaters: [updater] as never };
  const apps: TestApp[] = [];
  for (let i = 0; i < 3; i += 1) {
    const flags = { insecure: true, redis: redis.url };
    const app = await startApp(t, [{ id: 'r', graph: new FakeGraph(), config }], { flags });
    t.teardown(() => app.deps.registry.evictAll());
    await app.deps.shared.values.open();
    t.teardown(() => app.deps.shared.close());
    apps.push(app);
  }
  const runs = async () => {
    const found = await Promise.all(apps.map((app) => app.json('/routers/r/updaters/status')));
    return found.reduce((sum, { updaters }) => sum + updaters[0].runs, 0);
  };
  // Together since all are connected.
  const [runsBefore, askedBefore, begun] = [await runs(), source.count('/parks'), performance.now()];
  await until(async () => (await runs()) >= runsBefore + 30);
  const asked = source.count('/parks') - askedBefore;
  // One host alone would have asked as often as this at most, however slow the machine is.
  const periods = (performance.now() - begun) / 500;
  t.true(asked >= 5 && asked <= 1.2 * periods + 2, `asked ${asked} times in ${periods} periods`);
});
