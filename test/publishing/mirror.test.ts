/** Mirroring from a real object store: what replaces a graph, and what never does. */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { KEYS, type Pointer } from '../../src/publishing/documents.js';
import { type PreparedGraph, publish } from '../../src/publishing/publish.js';
import { fileVersion, isUploaded } from '../../src/registry/graph-file.js';
import { GRAPH_FORMAT } from '../../src/registry/graph-format.js';
import { HAS_OBJECT_SERVER, startFaultProxy, startObjectServer } from '../support/object-server.js';
import { type MirrorOptions, mirrorIn, preparedGraph } from '../support/published-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const withStore = HAS_OBJECT_SERVER ? test : test.skip;

const MIRROR_PROGRAM = fileURLToPath(new URL('../support/mirror-forever.js', import.meta.url));

/** A store, a mirror of it, and a way to publish the router `town`. */
async function setUp(t: ExecutionContext, options: MirrorOptions = {}) {
  const server = await startObjectServer(t);
  const store = await server.open();
  const graphs = await temporaryDirectory(t);
  const put = async (graph: PreparedGraph, router = 'town') => publish(graph, store, { router });
  /** As after a restart of the host. */
  const start = (more: MirrorOptions = options) => mirrorIn(graphs, () => server.open(), more);
  return { server, store, graphs, put, start, ...start() };
}

withStore('a router follows its pointer, with the configuration that was published', async (t) => {
  const { mirror, held, config, put, graphs } = await setUp(t);
  const [first, second] = [
    await preparedGraph(t, 1000, {}, { routerConfig: '{ "timeout": 3 }' }),
    await preparedGraph(t),
  ];
  const { pointer } = await put(first);
  t.deepEqual(await mirror.ids(), ['town']);
  t.is(await mirror.newPublication('town'), pointer.id);
  t.true(await mirror.mirror('town'));
  t.is(await held('town'), first.manifest.sha256);
  t.is(await config('town'), '{ "timeout": 3 }');
  t.is(await mirror.newPublication('town'), undefined);
  t.deepEqual(await mirror.mirrored(), ['town']);
  await put(second);
  t.truthy(await mirror.newPublication('town'));
  t.true(await mirror.mirror('town'));
  t.is(await held('town'), second.manifest.sha256);
  t.is(await config('town'), undefined);
  // Clients see the time of the file as the build time.
  t.is(Math.floor((await stat(path.join(graphs, 'town', 'Graph.obj'))).mtimeMs), second.manifest.buildTime);
});

withStore('an uploaded graph is still one on the other host', async (t) => {
  const { mirror, put, graphs } = await setUp(t);
  const file = path.join(graphs, 'town', 'Graph.obj');
  await put(await preparedGraph(t, 1000, {}, { uploaded: true }));
  t.true(await mirror.mirror('town'));
  t.true(await isUploaded(file, await fileVersion(file)));
  await put(await preparedGraph(t));
  t.true(await mirror.mirror('town'));
  t.false(await isUploaded(file, await fileVersion(file)));
});

/** Publications that must not be taken, and what the mirror says of them. */
const UNUSABLE: Readonly<
  Record<string, [code: string, spoil: (file: (key: string) => string, g: PreparedGraph) => unknown]>
> = {
  'a partial graph': ['OBJECT_DAMAGED', (file, g) => truncate(file(KEYS.graph(g.manifest.sha256)), 500)],
  'a graph with other bytes': [
    'OBJECT_DAMAGED',
    (file, g) => writeFile(file(KEYS.graph(g.manifest.sha256)), randomBytes(1000)),
  ],
  'a vanished graph': ['OBJECT_MISSING', (file, g) => rm(file(KEYS.graph(g.manifest.sha256)))],
  'a vanished manifest': ['OBJECT_MISSING', (file, g) => rm(file(KEYS.manifest(g.manifest.sha256)))],
  'a partial manifest': ['OBJECT_DAMAGED', (file, g) => truncate(file(KEYS.manifest(g.manifest.sha256)), 100)],
  'a vanished pointer': ['NOT_PUBLISHED', (file) => rm(file(KEYS.pointer('town')))],
  'a partial pointer': ['OBJECT_DAMAGED', (file) => truncate(file(KEYS.pointer('town')), 40)],
  'a pointer of a later version': [
    'PUBLISHED_VERSION',
    async (file) => {
      const pointer: Pointer = JSON.parse(await readFile(file(KEYS.pointer('town')), 'utf8'));
      await writeFile(file(KEYS.pointer('town')), JSON.stringify({ ...pointer, version: 2 }));
    },
  ],
};

for (const [what, [code, spoil]] of Object.entries(UNUSABLE)) {
  withStore(`${what} does not replace the graph`, async (t) => {
    const { server, mirror, held, failures, put, start } = await setUp(t);
    const [first, second] = [await preparedGraph(t), await preparedGraph(t)];
    await put(first);
    t.true(await mirror.mirror('town'));
    await put(second);
    await spoil(server.file, second);
    t.false(await mirror.mirror('town'));
    t.deepEqual(failures, [code]);
    t.is(await held('town'), first.manifest.sha256);
    // Nor after a restart of the host.
    const restarted = start();
    t.true(await restarted.mirror.restore('town'));
    t.false(await restarted.mirror.mirror('town'));
    t.is(await held('town'), first.manifest.sha256);
  });
}

withStore('a graph of another format is not even downloaded', async (t) => {
  const { mirror, failures, held, put, graphs } = await setUp(t);
  await put(await preparedGraph(t, 1000, { format: 4711 }));
  t.false(await mirror.mirror('town'));
  t.deepEqual(failures, ['PUBLISHED_VERSION']);
  t.deepEqual([await held('town'), await readdir(graphs)], [undefined, []]);
});

withStore('a graph that cannot be opened, or a wrong configuration, does not replace the graph', async (t) => {
  const bad = await preparedGraph(t);
  const open = async (file: string) => {
    if (file.includes(bad.manifest.sha256)) throw Object.assign(new Error('damaged'), { code: 'GRAPH_DAMAGED' });
    return { dispose: () => {} };
  };
  const { mirror, failures, held, put } = await setUp(t, { open });
  const good = await preparedGraph(t);
  await put(good);
  t.true(await mirror.mirror('town'));
  await put(bad);
  t.false(await mirror.mirror('town'));
  await put({ ...(await preparedGraph(t)), routerConfig: '{ "updaters": 7 }' });
  t.false(await mirror.mirror('town'));
  t.deepEqual(failures, ['GRAPH_DAMAGED', 'CONFIG_INVALID']);
  t.is(await held('town'), good.manifest.sha256);
});

withStore('the cache outlives the store; a file that was damaged there is noticed and fetched again', async (t) => {
  const { server, mirror, held, put, start, graphs } = await setUp(t);
  const graph = await preparedGraph(t);
  const { sha256 } = graph.manifest;
  await put(graph);
  t.true(await mirror.mirror('town'));
  await writeFile(path.join(graphs, 'town', 'Graph.obj'), randomBytes(1000));
  const restarted = start();
  t.false(await restarted.mirror.restore('town'));
  t.is(await held('town'), undefined);
  t.true(await restarted.mirror.mirror('town'));
  t.is(await held('town'), sha256);
  await server.stop();
  const alone = start();
  t.true(await alone.mirror.restore('town'));
  t.is(await held('town'), sha256);
});

withStore('a graph that another version has mirrored is replaced, and until then it stays', async (t) => {
  const { mirror, failures, held, put, start, graphs } = await setUp(t);
  const former = await preparedGraph(t);
  await put(former);
  t.true(await mirror.mirror('town'));
  const note = path.join(graphs, 'town', 'published.json');
  const { pointer, manifest } = JSON.parse(await readFile(note, 'utf8'));
  await writeFile(note, JSON.stringify({ pointer, manifest: { ...manifest, format: GRAPH_FORMAT - 1 } }));
  const upgraded = start();
  t.false(await upgraded.mirror.restore('town'));
  t.deepEqual(await upgraded.mirror.mirrored(), []);
  await put(await preparedGraph(t, 1000, { format: GRAPH_FORMAT - 1 }));
  t.false(await upgraded.mirror.mirror('town'));
  t.deepEqual([...failures, ...upgraded.failures], ['PUBLISHED_VERSION']);
  // The version before finds it there if it starts again.
  t.is(await held('town'), former.manifest.sha256);
  const next = await preparedGraph(t);
  await put(next);
  t.truthy(await upgraded.mirror.newPublication('town'));
  t.true(await upgraded.mirror.mirror('town'));
  t.is(await held('town'), next.manifest.sha256);
});

withStore('a crash between the files of a router is repaired', async (t) => {
  const { mirror, held, config, put, start, graphs } = await setUp(t);
  const graph = await preparedGraph(t, 1000, {}, { routerConfig: '{}' });
  await put(graph);
  t.true(await mirror.mirror('town'));
  const directory = path.join(graphs, 'town');
  // As if only the first of the files had been written.
  await rm(path.join(directory, 'Graph.obj'));
  await rm(path.join(directory, 'router-config.json'));
  t.true(await start().mirror.restore('town'));
  t.is(await held('town'), graph.manifest.sha256);
  t.is(await config('town'), '{}');
});

withStore('a graph that somebody has put into the cache is not replaced', async (t) => {
  const { mirror, failures, put, graphs } = await setUp(t);
  await put(await preparedGraph(t));
  const own = path.join(graphs, 'town', 'Graph.obj');
  await mkdir(path.dirname(own));
  await writeFile(own, 'own');
  t.false(await mirror.mirror('town'));
  t.deepEqual(failures, ['CACHE_OCCUPIED']);
  t.is(await readFile(own, 'utf8'), 'own');
});

withStore('whenever a host is killed, its cache holds one of the graphs complete', async (t) => {
  const { server, graphs, store, start, held } = await setUp(t);
  const first = await preparedGraph(t, 3 * 1024 ** 2);
  const hashes = [first.manifest.sha256];
  await publish(first, store, { router: 'town' });
  for (let kill = 0; kill < 12; kill += 1) {
    const host = spawn(process.execPath, [MIRROR_PROGRAM, graphs, server.endpoint], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(host.stdout, 'data');
    const next = await preparedGraph(t, 3 * 1024 ** 2);
    hashes.push(next.manifest.sha256);
    await publish(next, store, { router: 'town' });
    // Another moment of the download or the swap each time.
    await pause(kill * 8);
    host.kill('SIGKILL');
    await once(host, 'exit');
    const { mirror } = start();
    t.true(await mirror.restore('town'), `kill ${kill}`);
    t.true(hashes.includes((await held('town')) ?? ''), `kill ${kill}`);
    const { pointer } = JSON.parse(await readFile(path.join(graphs, 'town', 'published.json'), 'utf8'));
    t.is(await held('town'), pointer.sha256, `kill ${kill}`);
  }
});

withStore('the cache keeps to its limit: the least recently used graphs go first, those in use stay', async (t) => {
  const { mirror, failures, held, put, graphs } = await setUp(t, { maxBytes: 3500 });
  const generations = await Promise.all(Array.from({ length: 5 }, () => preparedGraph(t, 1000)));
  for (const graph of generations) {
    await put(graph);
    t.true(await mirror.mirror('town'));
  }
  const kept = (await readdir(path.join(graphs, '.objects'))).sort();
  t.deepEqual(
    kept,
    generations
      .slice(2)
      .map(({ manifest }) => `${manifest.sha256}.obj`)
      .sort(),
  );
  await put(await preparedGraph(t, 3000));
  t.false(await mirror.mirror('town'));
  t.deepEqual(failures, ['CACHE_FULL']);
  t.deepEqual((await readdir(path.join(graphs, '.objects'))).sort(), kept, 'nothing goes for a graph that never fits');
  t.is(await held('town'), generations[4]?.manifest.sha256);
});

withStore('a graph arrives whole from a store that fails half of the requests', async (t) => {
  const { server, held, store, graphs } = await setUp(t);
  // More than one part of an upload, and many pieces of a download.
  const graph = await preparedGraph(t, 40 * 1024 ** 2);
  const order = ['refused', 'none', 'cut', 'none', 'broken', 'none', 'unanswered', 'none'] as const;
  let requests = 0;
  const endpoint = await startFaultProxy(t, server.endpoint, () => {
    requests += 1;
    return order[(requests - 1) % order.length] ?? 'none';
  });
  const failing = await server.open(endpoint);
  await publish(graph, failing, { router: 'town' });
  t.is((await stat(server.file(KEYS.graph(graph.manifest.sha256)))).size, 40 * 1024 ** 2);
  const { mirror } = mirrorIn(graphs, async () => failing);
  t.true(await mirror.mirror('town'));
  t.is(await held('town'), graph.manifest.sha256);
  t.true(requests > 10);
  t.is(typeof (await store.read(KEYS.pointer('town'))), 'object');
});

withStore('a store that keeps failing is asked again as often as at first', async (t) => {
  const { server } = await setUp(t);
  // Each object is refused twice, which would use up the quota of retries of the client's own strategy.
  const tries = new Map<string, number>();
  const endpoint = await startFaultProxy(t, server.endpoint, (_, target) => {
    const count = (tries.get(target) ?? 0) + 1;
    tries.set(target, count);
    return count > 2 ? 'none' : 'refused';
  });
  const failing = await server.open(endpoint);
  const keys = Array.from({ length: 60 }, (_, i) => `texts/${i}`);
  await Promise.all(keys.map((key) => failing.put(key, key)));
  t.deepEqual(await (await server.open()).list('texts/'), [...keys].sort());
});

withStore('a slow store delays a graph and nothing else', async (t) => {
  const { server, put, graphs, held } = await setUp(t);
  const graph = await preparedGraph(t);
  await put(graph);
  const endpoint = await startFaultProxy(t, server.endpoint, () => 'slow');
  const { mirror } = mirrorIn(graphs, () => server.open(endpoint));
  t.true(await mirror.mirror('town'));
  t.is(await held('town'), graph.manifest.sha256);
});

withStore('the file that a failed download began is removed', async (t) => {
  const { server, put, graphs } = await setUp(t);
  const graph = await preparedGraph(t, 4 * 1024 ** 2);
  await put(graph);
  let cut = false;
  const endpoint = await startFaultProxy(t, server.endpoint, (_, target) => {
    if (!target.includes('Graph.obj')) return 'none';
    const fault = cut ? 'broken' : 'cut';
    cut = true;
    return fault;
  });
  await mkdir(path.join(graphs, '.objects'), { recursive: true });
  const { mirror, failures } = mirrorIn(graphs, () => server.open(endpoint));
  t.false(await mirror.mirror('town'));
  t.deepEqual(failures, ['STORE_FAILED']);
  t.deepEqual(await readdir(path.join(graphs, '.objects')), []);
});
