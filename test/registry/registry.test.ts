import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { BusyError, RouterNotFoundError } from '../../src/http-error.js';
import { DirectorySource, UploadedSource } from '../../src/registry/graph-source.js';
import { type LoadOptions, RouterRegistry } from '../../src/registry/registry.js';
import { gate } from '../support/gate.js';
import { NamedGraphMaker, nameOf } from '../support/named-graphs.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const SWAP: LoadOptions = { preEvict: false, evictOnFailure: false };
const PRE_EVICT: LoadOptions = { preEvict: true, evictOnFailure: false };

async function setUp(
  t: ExecutionContext,
  options: { defaultRouterId?: string; buildOnDemand?: boolean; loadWaitMs?: number; checkWaitMs?: number } = {},
) {
  const graphs = await temporaryDirectory(t);
  const maker = new NamedGraphMaker();
  const failures: [router: string, error: unknown][] = [];
  const registry = new RouterRegistry({
    defaultRouterId: options.defaultRouterId ?? '',
    anyRouterAsDefault: options.defaultRouterId === undefined,
    loadWaitMs: options.loadWaitMs ?? 30_000,
    checkWaitMs: options.checkWaitMs ?? 0,
    observers: [{ failed: (id, error) => void failures.push([id, error]) }],
  });
  const write = async (id: string, text: string, file = 'Graph.obj') => {
    await mkdir(path.join(graphs, id), { recursive: true });
    await writeFile(path.join(graphs, id, file), text);
  };
  const source = (id: string) =>
    new DirectorySource(path.join(graphs, id), maker, {
      buildOnDemand: options.buildOnDemand ?? true,
      uploadedUpdaters: false,
    });
  const name = (id: string | undefined) => registry.use(id, (router) => nameOf(router.graph));
  return { failures, graphs, maker, registry, write, source, name };
}

/** A router that serves the graph `first` while `second`, which is to replace it, is held at `loading`. */
async function setUpReload(t: ExecutionContext, options: LoadOptions = SWAP) {
  const parts = await setUp(t);
  const { registry, write, source, maker } = parts;
  await write('a', 'graph first');
  await registry.load('a', source('a'), SWAP);
  const loading = gate();
  maker.gate = loading.promise;
  await write('a', 'graph second');
  return { ...parts, loading, reload: registry.load('a', source('a'), options) };
}

test('a loaded router is served, an evicted one is not found', async (t) => {
  const { registry, write, source, name, maker } = await setUp(t);
  await write('a', 'graph first');
  t.is((await registry.load('a', source('a'), SWAP)).kind, 'registered');
  t.is(await name('a'), 'first');
  t.true(registry.evict('a'));
  await t.throwsAsync(name('a'), { instanceOf: RouterNotFoundError, message: "Graph id 'a' not registered.\n" });
  t.false(registry.evict('a'));
  t.deepEqual(maker.alive(), []);
});

test('a running request keeps its graph through eviction and through replacement', async (t) => {
  const { registry, write, source, maker, name } = await setUp(t);
  await write('a', 'graph first');
  await registry.load('a', source('a'), SWAP);
  const searching = gate();
  const search = registry.use('a', async () => {
    await searching.promise;
    return maker.opened[0]?.disposed;
  });
  await write('a', 'graph second');
  await registry.load('a', source('a'), SWAP);
  t.is(await name('a'), 'second');
  registry.evict('a');
  t.deepEqual(maker.alive(), ['first']);
  searching.open();
  t.false(await search);
  t.deepEqual(maker.alive(), []);
});

test('requests are served from the old graph while the new one is loading', async (t) => {
  const { loading, reload, name } = await setUpReload(t);
  t.is(await name('a'), 'first');
  loading.open();
  await reload;
  t.is(await name('a'), 'second');
});

test('with preEvict the old graph is released first and requests wait for the new one', async (t) => {
  const { loading, reload, maker, name } = await setUpReload(t, PRE_EVICT);
  await new Promise(setImmediate);
  const waiting = name('a');
  t.deepEqual(maker.alive(), []);
  loading.open();
  t.is(await waiting, 'second');
  await reload;
});

test('a request does not wait forever for a loading router', async (t) => {
  const { registry, write, source, maker, name } = await setUp(t, { loadWaitMs: 200 });
  await write('a', 'graph first');
  const loading = gate();
  maker.gate = loading.promise;
  const load = registry.load('a', source('a'), SWAP);
  await new Promise(setImmediate);
  const error = await t.throwsAsync(name('a'), { instanceOf: BusyError });
  t.is(error?.headers['Retry-After'], '5');
  loading.open();
  await load;
});

test('while the server starts, a router that is still to come is waited for', async (t) => {
  const { registry, write, source, name } = await setUp(t);
  await write('a', 'graph first');
  const before = gate();
  const start = registry.start(async () => {
    await before.promise;
    await registry.load('a', source('a'), SWAP);
  });
  const waiting = name('a');
  const unknown = t.throwsAsync(name('b'), { instanceOf: RouterNotFoundError });
  before.open();
  t.is(await waiting, 'first');
  await Promise.all([start, unknown]);
});

test('a failed reload leaves the old graph, unless told to evict', async (t) => {
  const { registry, write, source, name } = await setUp(t);
  await write('a', 'graph first');
  await registry.load('a', source('a'), SWAP);
  await write('a', 'junk');
  t.is((await registry.load('a', source('a'), SWAP)).kind, 'failed');
  t.is(await name('a'), 'first');
  t.is((await registry.load('a', source('a'), { preEvict: false, evictOnFailure: true })).kind, 'failed');
  t.false(registry.isRegistered('a'));
});

test('a graph whose damage is found later is no longer served, and the error is reported', async (t) => {
  const { failures, registry, write, source, name, maker } = await setUp(t);
  await write('a', 'graph first');
  await registry.load('a', source('a'), SWAP);
  t.false(maker.opened[0]?.checkFirst);
  const damage = Object.assign(new Error('damaged'), { code: 'GRAPH_DAMAGED' });
  maker.opened[0]?.damage(damage);
  await until(() => failures.length > 0);
  t.deepEqual(failures, [['a', damage]]);
  await t.throwsAsync(name('a'), { instanceOf: RouterNotFoundError });
  t.deepEqual(maker.alive(), []);
  await registry.load('a', source('a'), SWAP);
  t.is(await name('a'), 'first');
});

test('a graph whose damage is found soon is never served', async (t) => {
  const { failures, registry, write, source, name, maker } = await setUp(t, { checkWaitMs: 30_000 });
  await write('a', 'graph first');
  const load = registry.load('a', source('a'), SWAP);
  await until(() => maker.opened.length > 0);
  const waiting = name('a');
  const damage = Object.assign(new Error('damaged'), { code: 'GRAPH_DAMAGED' });
  maker.opened[0]?.damage(damage);
  await t.throwsAsync(waiting, { instanceOf: RouterNotFoundError });
  t.is((await load).kind, 'failed');
  t.deepEqual(failures, [['a', damage]]);
  t.deepEqual(maker.alive(), []);
});

test('a graph that replaces another one is checked first; damage of one that was replaced changes nothing', async (t) => {
  const { failures, registry, write, source, name, maker } = await setUp(t);
  await write('a', 'graph first');
  await registry.load('a', source('a'), SWAP);
  await write('a', 'graph second');
  await registry.load('a', source('a'), SWAP);
  t.true(maker.opened[1]?.checkFirst);
  maker.opened[0]?.damage(Object.assign(new Error('disposed'), { code: 'DISPOSED' }));
  await new Promise(setImmediate);
  t.is(await name('a'), 'second');
  t.deepEqual(failures, []);
});

test('damage that is found while a copy is opened is reported of the file', async (t) => {
  const { graphs, maker, registry, write, failures } = await setUp(t);
  await write('a', 'graph first');
  const copy = path.join(graphs, 'copy.obj');
  const open = maker.open.bind(maker);
  maker.open = async (file) => {
    const graph = await open(file);
    graph.info = () => {
      throw new Error(`${copy}: damaged graph file`);
    };
    return graph;
  };
  const pin = async (file: string) => {
    await copyFile(file, copy);
    return copy;
  };
  const options = { buildOnDemand: false, uploadedUpdaters: false };
  const source = new DirectorySource(path.join(graphs, 'a'), maker, options, { pin, shared: false });
  t.is((await registry.load('a', source, SWAP)).kind, 'failed');
  t.is(String(failures[0]?.[1]), `Error: ${path.join(graphs, 'a', 'Graph.obj')}: damaged graph file`);
});

test('a copy that could not be removed while it was open is removed with its router', async (t) => {
  const { registry, graphs, write, maker } = await setUp(t);
  await write('a', 'graph first');
  const copy = path.join(graphs, 'copy.obj');
  const pin = (file: string) => copyFile(file, copy).then(() => copy);
  const options = { buildOnDemand: false, uploadedUpdaters: false };
  const source = new DirectorySource(path.join(graphs, 'a'), maker, options, { pin, shared: false });
  await registry.load('a', source, SWAP);
  await writeFile(copy, 'as on Windows');
  t.true(registry.evict('a'));
  await until(() => !existsSync(copy));
  t.pass();
});

test('requests wait for the graph that is being loaded when the served one turns out to be damaged', async (t) => {
  const { loading, reload, maker, name } = await setUpReload(t);
  await new Promise(setImmediate);
  maker.opened[0]?.damage(Object.assign(new Error('damaged'), { code: 'GRAPH_DAMAGED' }));
  await until(() => maker.alive().length === 0);
  const waiting = name('a');
  loading.open();
  t.is(await waiting, 'second');
  await reload;
});

test('eviction during a load: the late result is released and not served', async (t) => {
  const { registry, write, source, maker, name } = await setUp(t);
  await write('a', 'graph first');
  const loading = gate();
  maker.gate = loading.promise;
  const load = registry.load('a', source('a'), SWAP);
  await new Promise(setImmediate);
  t.true(registry.evict('a'));
  await write('a', 'graph second');
  const again = registry.load('a', source('a'), SWAP);
  loading.open();
  t.is((await load).kind, 'superseded');
  t.is((await again).kind, 'registered');
  t.is(await name('a'), 'second');
  t.is(maker.alive().length, 1);
});

test('loads of one router run one after the other: a bad one does not affect a good one', async (t) => {
  const { registry, graphs, maker, write, source, name } = await setUp(t);
  await write('a', 'graph good');
  await writeFile(path.join(graphs, 'sent'), 'junk');
  const good = registry.load('a', source('a'), SWAP);
  const bad = registry.load(
    'a',
    new UploadedSource(path.join(graphs, 'sent'), maker, 'router', { uploadedUpdaters: false }),
    SWAP,
  );
  t.is((await good).kind, 'registered');
  t.is((await bad).kind, 'failed');
  t.is(await name('a'), 'good');
});

test('an uploaded graph file is removed with its router, not before', async (t) => {
  const { registry, graphs, maker } = await setUp(t);
  const file = path.join(graphs, 'sent');
  await writeFile(file, 'graph sent');
  await registry.load('a', new UploadedSource(file, maker, 'router', { uploadedUpdaters: false }), SWAP);
  t.is(await readFile(file, 'utf8'), 'graph sent');
  registry.evict('a');
  await until(() => !existsSync(file));
  t.false(existsSync(file));
});

test('a directory with inputs only is built once when that is allowed', async (t) => {
  const { registry, write, source, maker, graphs, name } = await setUp(t);
  await write('a', '', 'town.osm.pbf');
  await registry.load('a', source('a'), SWAP);
  t.is(await name('a'), 'built1');
  t.is(await readFile(path.join(graphs, 'a', 'Graph.obj'), 'utf8'), 'graph built1');
  await registry.load('a', source('a'), SWAP);
  t.is(maker.builds, 1);
});

test('a directory with inputs only fails when building is not allowed', async (t) => {
  const { registry, write, source } = await setUp(t, { buildOnDemand: false });
  await write('a', '', 'town.osm.pbf');
  const outcome = await registry.load('a', source('a'), SWAP);
  t.is(outcome.kind === 'failed' && (outcome.error as { code: string }).code, 'NO_GRAPH');
});

test('router-config.json of the directory is read; a wrong one fails the load before the graph is opened', async (t) => {
  const { graphs, registry, write, source, maker } = await setUp(t);
  await write('a', 'graph first');
  await write('a', '{ timeouts: [9], // seconds\n routingDefaults: { walkSpeed: 1.5 } }', 'router-config.json');
  await registry.load('a', source('a'), SWAP);
  const config = await registry.use('a', (router) => router.config);
  t.deepEqual(config.timeouts, [9]);
  t.is(config.routingDefaults.walkSpeed, 1.5);
  await write('a', '{ timeouts: 9 }', 'router-config.json');
  const outcome = await registry.load('a', source('a'), SWAP);
  t.is(outcome.kind, 'failed');
  await rm(path.join(graphs, 'a', 'router-config.json'));
  await symlink('moved', path.join(graphs, 'a', 'router-config.json'));
  const { error } = (await registry.load('a', source('a'), SWAP)) as { error?: unknown };
  t.regex(String(error), /router-config\.json is a broken link$/);
  t.is(maker.opened.length, 1);
});

test('default and no id mean the configured router', async (t) => {
  const { registry, write, source, name } = await setUp(t, { defaultRouterId: 'b' });
  for (const id of ['a', 'b']) {
    await write(id, `graph ${id}`);
    await registry.load(id, source(id), SWAP);
  }
  for (const id of ['default', 'DeFault', '', undefined]) t.is(await name(id), 'b');
  registry.evict('b');
  await t.throwsAsync(name('default'), { message: "Graph id 'default' not registered.\n" });
});

test('without a configured default the root graph is used, or else any router', async (t) => {
  const { registry, write, source, name } = await setUp(t);
  await write('a', 'graph a');
  await registry.load('a', source('a'), SWAP);
  t.is(await name('default'), 'a');
  await write('', 'graph root');
  await registry.load('', source(''), SWAP);
  t.is(await name('default'), 'root');
});

test('ids that could leave the graphs directory are refused', async (t) => {
  const { registry, source } = await setUp(t);
  for (const id of ['..', 'a/b', 'a.b', 'a b', 'a\0', 'x'.repeat(129)]) {
    t.is((await registry.load(id, source('a'), SWAP)).kind, 'failed', id);
  }
});

test('evicting all says how many there were', async (t) => {
  const { registry, write, source } = await setUp(t);
  for (const id of ['a', 'b', 'c']) {
    await write(id, `graph ${id}`);
    await registry.load(id, source(id), SWAP);
  }
  t.is(registry.evictAll(), 3);
  t.deepEqual(registry.list(), []);
});
