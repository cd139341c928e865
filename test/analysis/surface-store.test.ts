import test from 'ava';
import { type SearchedSurface, SurfaceStore } from '../../src/analysis/surface-store.js';
import { HttpError } from '../../src/http-error.js';
import type { PlanRequest, Surface } from '../../src/native/types.js';
import { ProcessValues } from '../../src/sharing/process-values.js';

function searched(disposed: string[], name: string, bytes = 1): SearchedSurface {
  const times = { dispose: () => disposed.push(name), memoryBytes: () => bytes } as unknown as Surface;
  return { params: { name }, router: { id: 'r', generation: 1 }, request: {} as PlanRequest, times };
}

test('the least recently used surface is dropped when there are too many; ids are never used again', async (t) => {
  const disposed: string[] = [];
  const store = new SurfaceStore(new ProcessValues(), { bytes: 1000, count: 2 });
  const add = async (...names: string[]) =>
    (await store.add(names.map((name) => searched(disposed, name)))).map(({ id }) => id);
  t.deepEqual(await add('a', 'b'), [0, 1]);
  await store.get(0);
  t.deepEqual(await add('c'), [2]);
  t.deepEqual(disposed, ['b']);
  t.deepEqual(
    store.list().map(({ id }) => id),
    [0, 2],
  );
  t.true(await store.remove(0));
  t.false(await store.remove(0));
  t.deepEqual(await add('d'), [3]);
});

test('the least recently used surfaces are dropped when they take too much memory', async (t) => {
  const disposed: string[] = [];
  const store = new SurfaceStore(new ProcessValues(), { bytes: 100 });
  const add = (name: string, bytes: number) => store.add([searched(disposed, name, bytes)]);
  for (const name of ['a', 'b', 'c']) await add(name, 30);
  await store.get(0);
  await add('d', 10);
  t.deepEqual(disposed, [], 'all fit exactly');
  await add('e', 31);
  t.deepEqual(disposed.sort(), ['b', 'c']);
  await add('f', 100);
  t.deepEqual(disposed.sort(), ['a', 'b', 'c', 'd', 'e']);
  t.deepEqual(
    store.list().map(({ params }) => params.name),
    ['f'],
  );
});

test('surfaces of one request that take too much memory together are refused, and the others stay', async (t) => {
  const disposed: string[] = [];
  const store = new SurfaceStore(new ProcessValues(), { bytes: 100 });
  await store.add([searched(disposed, 'a', 50)]);
  const refused = store.add([searched(disposed, 'b', 60), searched(disposed, 'c', 41)]);
  const error = await t.throwsAsync(refused, { instanceOf: HttpError });
  t.deepEqual(
    [error?.status, error?.text],
    [413, '101 bytes of surfaces, but at most 100 are kept (maxSurfaceBytes)\n'],
  );
  t.deepEqual(disposed, ['b', 'c']);
  t.deepEqual(
    store.list().map(({ params }) => params.name),
    ['a'],
  );
});
