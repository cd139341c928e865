import test from 'ava';
import { SurfaceStore } from '../../src/analysis/surface-store.js';
import type { Surface } from '../../src/native/types.js';

function fakeSurface(disposed: string[], name: string): Surface {
  return { dispose: () => disposed.push(name) } as unknown as Surface;
}

test('the least recently used surface is dropped when there are too many; ids are never used again', (t) => {
  const disposed: string[] = [];
  const store = new SurfaceStore(2);
  const ids = ['a', 'b'].map((name) => store.add({ name }, 'r#1', fakeSurface(disposed, name)).id);
  t.deepEqual(ids, [0, 1]);
  store.get(0);
  t.is(store.add({}, 'r#1', fakeSurface(disposed, 'c')).id, 2);
  t.deepEqual(disposed, ['b']);
  t.deepEqual(
    store.list().map(({ id }) => id),
    [0, 2],
  );
  t.true(store.remove(0));
  t.false(store.remove(0));
  t.is(store.add({}, 'r#1', fakeSurface(disposed, 'd')).id, 3);
});
