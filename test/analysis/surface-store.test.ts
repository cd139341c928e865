import test from 'ava';
import { type SearchedSurface, SurfaceStore } from '../../src/analysis/surface-store.js';
import type { PlanRequest, Surface } from '../../src/native/types.js';
import { ProcessValues } from '../../src/sharing/process-values.js';

function searched(disposed: string[], name: string): SearchedSurface {
  const times = { dispose: () => disposed.push(name) } as unknown as Surface;
  return { params: { name }, router: { id: 'r', generation: 1 }, request: {} as PlanRequest, times };
}

test('the least recently used surface is dropped when there are too many; ids are never used again', async (t) => {
  const disposed: string[] = [];
  const store = new SurfaceStore(new ProcessValues(), undefined, 2);
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
