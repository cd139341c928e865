/** Publishing to a real object store: what lies there afterwards, and who wins. */

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { loadAddon } from '../../src/native/addon.js';
import { KEYS, type Manifest, type Pointer } from '../../src/publishing/documents.js';
import type { ObjectStore } from '../../src/publishing/object-store.js';
import { type Publication, prepareGraph, publish } from '../../src/publishing/publish.js';
import { GRAPH_FORMAT, graphFormat } from '../../src/registry/graph-format.js';
import { fileSha256 } from '../../src/storage/file-hash.js';
import { HAS_OBJECT_SERVER, startFaultProxy, startObjectServer } from '../support/object-server.js';
import { preparedGraph } from '../support/published-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';

const withStore = HAS_OBJECT_SERVER ? test : test.skip;

test('the format of graph files is the one that the addon writes', async (t) => {
  const { file, remove } = await buildSampleTown();
  t.is(await graphFormat(file), GRAPH_FORMAT);
  await remove();
});

withStore('a graph lies under its hash, with a manifest, and the pointer names it', async (t) => {
  const server = await startObjectServer(t);
  const built = await buildSampleTown();
  t.teardown(() => built.remove());
  const directory = path.dirname(built.file);
  await writeFile(path.join(directory, 'router-config.json'), '{ "timeout": 3 }');
  const { Graph } = await loadAddon();
  const graph = await prepareGraph(directory, (file) => Graph.open(file));
  const { moved, uploaded } = await publish(graph, await server.open(), { router: 'town' });
  t.deepEqual([moved, uploaded], [true, true]);
  const sha256 = await fileSha256(built.file);
  const manifest: Manifest = JSON.parse(await readFile(server.file(KEYS.manifest(sha256)), 'utf8'));
  t.is(await fileSha256(server.file(KEYS.graph(sha256))), sha256);
  t.is(manifest.counts.stops, built.graph.info().stops);
  t.deepEqual(manifest.service, { first: '2026-01-01', last: '2027-12-31' });
  t.true(manifest.bounds.north > manifest.bounds.south);
  const pointer: Pointer = JSON.parse(await readFile(server.file(KEYS.pointer('town')), 'utf8'));
  t.deepEqual([pointer.sha256, pointer.routerConfig, pointer.former], [sha256, '{ "timeout": 3 }', undefined]);
});

withStore(
  'a graph that is published already is neither uploaded nor published, unless that is asked for',
  async (t) => {
    const server = await startObjectServer(t);
    const store = await server.open();
    const graph = await preparedGraph(t);
    const { pointer } = await publish(graph, store, { router: 'town' });
    const second = await publish(graph, store, { router: 'town' });
    t.deepEqual([second.moved, second.uploaded, second.pointer.id], [false, false, pointer.id]);
    const other = await publish(graph, store, { router: 'other' });
    t.deepEqual([other.moved, other.uploaded], [true, false]);
    const changed = await publish({ ...graph, routerConfig: '{}' }, store, { router: 'town' });
    t.deepEqual([changed.moved, changed.uploaded, changed.pointer.former], [true, false, graph.manifest.sha256]);
    // A damaged file is repaired.
    await writeFile(server.file(KEYS.graph(graph.manifest.sha256)), 'x'.repeat(1000));
    const again = await publish({ ...graph, routerConfig: '{}' }, store, { router: 'town', again: true });
    t.deepEqual([again.moved, again.uploaded], [true, true]);
    t.is(await fileSha256(server.file(KEYS.graph(graph.manifest.sha256))), graph.manifest.sha256);
  },
);

withStore('a publication that began before another one ended does not replace it', async (t) => {
  const server = await startObjectServer(t);
  const [first, second] = [await preparedGraph(t), await preparedGraph(t)];
  let during: Promise<unknown> | undefined;
  const endpoint = await startFaultProxy(t, server.endpoint, async (method, target) => {
    if (method === 'PUT' && target.includes('Graph.obj')) {
      during ??= server.open().then((store) => publish(second, store, { router: 'town' }));
      await during;
    }
    return 'none' as const;
  });
  const error = await t.throwsAsync(publish(first, await server.open(endpoint), { router: 'town' }), {
    code: 'PUBLISH_CONFLICT',
  });
  t.true(error.message.includes(second.manifest.sha256), error.message);
  const pointer: Pointer = JSON.parse(await readFile(server.file(KEYS.pointer('town')), 'utf8'));
  t.is(pointer.sha256, second.manifest.sha256);
});

withStore('exactly one of several publications at once wins, and the others say so', async (t) => {
  const server = await startObjectServer(t);
  const graphs = await Promise.all(Array.from({ length: 6 }, () => preparedGraph(t)));
  await publish(await preparedGraph(t), await server.open(), { router: 'town' });
  // All of them move the pointer at the same moment.
  const gate = gateFor(graphs.length);
  const endpoint = await startFaultProxy(t, server.endpoint, async (method, target) => {
    if (method === 'PUT' && target.includes('routers/')) await gate();
    return 'none' as const;
  });
  const outcomes = await Promise.allSettled(
    graphs.map(async (graph) => publish(graph, await server.open(endpoint), { router: 'town' })),
  );
  const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'won')).sort();
  t.deepEqual(codes, [...Array(5).fill('PUBLISH_CONFLICT'), 'won']);
  const pointer: Pointer = JSON.parse(await readFile(server.file(KEYS.pointer('town')), 'utf8'));
  const won = outcomes.find(({ status }) => status === 'fulfilled') as PromiseFulfilledResult<Publication>;
  t.is(pointer.id, won.value.pointer.id);
});

/** Opens when this many have come. */
function gateFor(count: number): () => Promise<void> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let come = 0;
  return () => {
    come += 1;
    if (come >= count) open();
    return opened;
  };
}

withStore('a publication whose answers are lost still knows that it has won', async (t) => {
  const server = await startObjectServer(t);
  const lost = new Set<string>();
  const endpoint = await startFaultProxy(t, server.endpoint, (method, target) => {
    if (method !== 'PUT' || lost.has(target)) return 'none';
    lost.add(target);
    return 'unanswered';
  });
  const graph = await preparedGraph(t);
  const { moved, pointer } = await publish(graph, await server.open(endpoint), { router: 'town' });
  t.true(moved);
  t.is(JSON.parse(await readFile(server.file(KEYS.pointer('town')), 'utf8')).id, pointer.id);
  t.true(lost.size >= 3);
});

withStore('a full store leaves the previous graph published', async (t) => {
  const server = await startObjectServer(t);
  const previous = await preparedGraph(t);
  await publish(previous, await server.open(), { router: 'town' });
  let writes = 0;
  const endpoint = await startFaultProxy(t, server.endpoint, (method) => {
    if (method !== 'PUT') return 'none';
    writes += 1;
    return 'full';
  });
  const error = await t.throwsAsync(publish(await preparedGraph(t), await server.open(endpoint), { router: 'town' }), {
    code: 'STORE_FULL',
  });
  t.regex(error.message, /Graph\.obj cannot be written: InsufficientStorage.*\(507\)/);
  t.is(writes, 1, 'a full store is not asked again');
  const pointer: Pointer = JSON.parse(await readFile(server.file(KEYS.pointer('town')), 'utf8'));
  t.is(pointer.sha256, previous.manifest.sha256);
});

withStore('a graph that is replaced while it is uploaded is not published', async (t) => {
  const server = await startObjectServer(t);
  const graph = await preparedGraph(t);
  const stale = { ...graph, version: { mtimeMs: 0, size: 1000 } };
  await t.throwsAsync(publish(stale, await server.open(), { router: 'town' }), { code: 'GRAPH_CHANGED' });
  await t.throwsAsync(readFile(server.file(KEYS.pointer('town'))));
});

test('a store that ignores conditions is refused before anything is published', async (t) => {
  const objects = new Map<string, string>();
  const store: ObjectStore = {
    read: async (key) => {
      const text = objects.get(key);
      return text === undefined ? undefined : { text, tag: text };
    },
    write: async (key, text) => Boolean(objects.set(key, text)),
    size: async () => undefined,
    upload: async () => {},
    download: async () => {},
    list: async () => [],
    folders: async () => [],
    put: async () => {},
    remove: async () => {},
    address: (key) => `s3://old/${key}`,
  };
  await t.throwsAsync(publish(await preparedGraph(t), store, { router: 'town' }), { code: 'STORE_UNCONDITIONAL' });
  t.false(objects.has(KEYS.pointer('town')));
});
