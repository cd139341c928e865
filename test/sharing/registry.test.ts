/** Changes of the registry on one host that take effect on all, through a real Redis. */

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { startRouters } from '../../src/registry/start.js';
import { openFiles } from '../support/open-files.js';
import { HAS_REDIS, type RedisServer, startRedis } from '../support/redis-server.js';
import { spooled } from '../support/spooled.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp, type TestApp } from '../support/test-app.js';
import { TEXT_GRAPHS } from '../support/text-graphs.js';
import { until } from '../support/until.js';

const withRedis = HAS_REDIS ? test : test.skip;

interface Host {
  readonly app: TestApp;
  readonly graphs: string;
  readonly name: string;
  /** Leaves the others. */
  leave(): void;
}

/** A host with a graphs directory of its own, or that of a host that has left; the directory holds these graphs. */
async function startHost(
  t: ExecutionContext,
  { url: redis }: RedisServer,
  name: string,
  files: Readonly<Record<string, string>> = {},
  previous?: Host,
): Promise<Host> {
  const graphs = previous?.graphs ?? (await temporaryDirectory(t));
  for (const [id, text] of Object.entries(files)) await write(graphs, id, text);
  const flags = { insecure: true, redis, graphs, hostName: name, routers: [] };
  const app = await startApp(t, [], { flags, maker: TEXT_GRAPHS });
  const { config, registry, control, logger, shared, hostControl } = app.deps;
  await shared.values.open();
  t.teardown(() => shared.close());
  const stopWatching = await startRouters({ config, registry, control, logger });
  t.teardown(stopWatching);
  await hostControl?.begin();
  return { app, graphs, name, leave: () => shared.close() };
}

async function write(graphs: string, id: string, text: string): Promise<void> {
  await mkdir(path.join(graphs, id), { recursive: true });
  await writeFile(path.join(graphs, id, 'Graph.obj'), text);
}

async function send({ app }: Host, method: string, target: string, body?: string) {
  const headers = body === undefined ? undefined : { 'Content-Type': 'application/octet-stream' };
  const response = await app.request(target, { method, body, headers } as RequestInit);
  const hosts = (response.headers.get('Trestle-Hosts') ?? '').split(', ').sort().join(' ');
  return { status: response.status, text: await response.text(), hosts, retry: response.headers.get('Retry-After') };
}

/** Vertices of each router that a host serves. */
async function served({ app }: Host): Promise<Record<string, number>> {
  const { routerInfo } = await app.json('/routers');
  const found: [string, number][] = [];
  for (const { routerId } of routerInfo) {
    found.push([routerId, await app.deps.registry.use(routerId, ({ graph }) => graph.info().vertices)]);
  }
  return Object.fromEntries(found.sort());
}

withRedis('PUT, POST and DELETE take effect on all hosts, and the answer says which followed', async (t) => {
  const redis = await startRedis(t);
  const files = { a: 'graph 1' };
  const hosts = [
    await startHost(t, redis, 'one', files),
    await startHost(t, redis, 'two', files),
    await startHost(t, redis, 'three', files),
  ] as const;
  const [one, two, three] = hosts;
  const all = async (expected: Record<string, number>) => {
    for (const host of hosts) t.deepEqual(await served(host), expected, host.name);
  };
  await all({ a: 1 });

  for (const { graphs } of hosts) await write(graphs, 'a', 'graph 2');
  const put = await send(one, 'PUT', '/routers/a');
  t.deepEqual([put.status, put.text], [201, 'graph already registered, reloaded.\n']);
  t.is(put.hosts, '"one"="reloaded" "three"="reloaded" "two"="reloaded"');
  await all({ a: 2 });

  const posted = await send(two, 'POST', '/routers/b', 'graph 5');
  t.is(posted.status, 201);
  t.is(posted.hosts, '"one"="registered" "three"="registered" "two"="registered"');
  await all({ a: 2, b: 5 });

  const gone = await send(three, 'DELETE', '/routers/a');
  t.deepEqual([gone.status, gone.text], [200, 'graph evicted.\n']);
  t.is(gone.hosts, '"one"="evicted" "three"="evicted" "two"="evicted"');
  await all({ b: 5 });
  t.is((await send(one, 'DELETE', '/routers/a')).status, 404);

  await send(one, 'PUT', '/routers/a');
  for (const { graphs } of hosts) await write(graphs, 'a', 'graph 3');
  t.is((await send(two, 'PUT', '/routers')).status, 200);
  await all({ a: 3, b: 5 });
  t.is((await send(three, 'DELETE', '/routers')).text, '2 graphs evicted.\n');
  await all({});
});

withRedis('a host that cannot follow is named, and the others change', async (t) => {
  const redis = await startRedis(t);
  const one = await startHost(t, redis, 'one', { a: 'graph 1' });
  const two = await startHost(t, redis, 'two');
  const put = await send(one, 'PUT', '/routers/a');
  t.deepEqual([put.status, put.hosts], [201, '"one"="reloaded" "two"="not-found"']);
  const garbage = await send(one, 'POST', '/routers/a', 'garbage');
  t.is(garbage.status, 400);
  t.deepEqual([await served(one), await served(two)], [{ a: 1 }, {}]);
});

withRedis('a router that no host has files of is not found on any, and stays unknown', async (t) => {
  const redis = await startRedis(t);
  const [one, two] = [await startHost(t, redis, 'one'), await startHost(t, redis, 'two')];
  for (const id of ['none', 'a.b']) {
    const put = await send(one, 'PUT', `/routers/${id}`);
    t.deepEqual([put.status, put.text], [404, 'graph not found or other error.\n'], id);
    t.is(put.hosts, '"one"="not-found" "two"="not-found"', id);
    const gone = await send(two, 'DELETE', `/routers/${id}`);
    t.deepEqual([gone.status, gone.text], [404, 'graph did not exist.\n'], id);
    t.is(gone.hosts, '"one"="not registered" "two"="not registered"', id);
  }
  t.deepEqual([await served(one), await served(two)], [{}, {}]);
  // It has the files, but nothing is left of the change that failed.
  const later = await startHost(t, redis, 'later', { none: 'graph 1' });
  t.deepEqual(await served(later), {});
});

withRedis('a change that nobody could make is taken back', async (t) => {
  const redis = await startRedis(t);
  const one = await startHost(t, redis, 'one');
  await send(one, 'POST', '/routers/b', 'graph 5');
  t.is((await send(one, 'POST', '/routers/b', 'garbage')).status, 400);
  const later = await startHost(t, redis, 'later');
  t.deepEqual([await served(one), await served(later)], [{ b: 5 }, { b: 5 }]);
});

withRedis('onlyHere changes one host', async (t) => {
  const redis = await startRedis(t);
  const files = { a: 'graph 1' };
  const [one, two] = [await startHost(t, redis, 'one', files), await startHost(t, redis, 'two', files)];
  const gone = await send(one, 'DELETE', '/routers/a?onlyHere=true');
  t.deepEqual([gone.status, gone.hosts], [200, '']);
  t.deepEqual([await served(one), await served(two)], [{}, { a: 1 }]);
});

withRedis('hosts that start later, and those that were disconnected, follow earlier decisions', async (t) => {
  const redis = await startRedis(t);
  const files = { a: 'graph 1', c: 'graph 3' };
  const [one, two] = [await startHost(t, redis, 'one', files), await startHost(t, redis, 'two', files)];
  two.leave();
  await send(one, 'DELETE', '/routers/a');
  const posted = await send(one, 'POST', '/routers/b', 'graph 7');
  t.is(posted.hosts, '"one"="registered"', 'nobody waits for a host that has left');
  const [again, later] = [await startHost(t, redis, 'two', {}, two), await startHost(t, redis, 'three', files)];
  for (const host of [one, again, later]) t.deepEqual(await served(host), { b: 7, c: 3 }, host.name);
});

withRedis('without Redis changes get 503 and nothing changes; an empty Redis learns what was decided', async (t) => {
  const redis = await startRedis(t);
  const files = { a: 'graph 1' };
  const [one, two] = [await startHost(t, redis, 'one', files), await startHost(t, redis, 'two', files)];
  await send(one, 'POST', '/routers/b', 'graph 7');
  await send(one, 'DELETE', '/routers/a');
  await redis.kill();
  for (const [method, target, body] of [
    ['PUT', '/routers/a'],
    ['POST', '/routers/b', 'graph 8'],
    ['DELETE', '/routers/b'],
    ['PUT', '/routers'],
    ['DELETE', '/routers'],
  ] as const) {
    const refused = await send(two, method, target, body);
    t.deepEqual([refused.status, refused.retry], [503, '2'], `${method} ${target}`);
  }
  for (const host of [one, two]) t.deepEqual(await served(host), { b: 7 });
  t.is((await spooled(two.graphs)).length, 1, 'the served graph is kept, the refused one is not');
  await redis.start();
  for (const { app } of [one, two]) await until(() => app.deps.shared.hosts?.isUp === true);
  const later = await startHost(t, redis, 'later', files);
  await until(async () => 'b' in (await served(later)) && !('a' in (await served(later))));
  t.deepEqual(await served(later), { b: 7 });
});

withRedis('changes of one router on two hosts at once have the same result everywhere', async (t) => {
  const redis = await startRedis(t);
  const hosts = [
    await startHost(t, redis, 'one'),
    await startHost(t, redis, 'two'),
    await startHost(t, redis, 'three'),
  ];
  for (let round = 0; round < 5; round += 1) {
    const changes = hosts.map((host, i) => send(host, 'POST', '/routers/a', `graph ${10 * round + i + 1}`));
    for (const { status } of await Promise.all(changes)) t.true([201, 409].includes(status), String(status));
    const [first, ...others] = await Promise.all(hosts.map(served));
    for (const other of others) t.deepEqual(other, first);
  }
});

withRedis(
  'a graph that is sent several times is kept once for each router, and its file is not left open',
  async (t) => {
    const one = await startHost(t, await startRedis(t), 'one');
    const sent = await Promise.all([1, 2, 3].map(() => send(one, 'POST', '/routers/a', 'graph 1')));
    t.true(sent.some(({ status }) => status === 201));
    t.deepEqual(await served(one), { a: 1 });
    await until(async () => (await spooled(one.graphs)).length === 1);
    t.is((await send(one, 'POST', '/routers/b', 'graph 1')).status, 201);
    await until(async () => (await openFiles(one.graphs)).length === 0);
    t.is((await spooled(one.graphs)).length, 2);
  },
);
