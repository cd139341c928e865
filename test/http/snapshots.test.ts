/** Snapshots of graphs are released when the work on them ends. */

import test from 'ava';
import { withSnapshots } from '../../src/http/request/snapshots.js';
import type { Graph } from '../../src/native/types.js';

test('every snapshot is released once, whether the work succeeds or fails', async (t) => {
  for (const fails of [false, true]) {
    const released: number[] = [];
    let taken = 0;
    const snapshot = () => {
      const number = taken;
      taken += 1;
      return { dispose: () => released.push(number) };
    };
    const graph = { snapshot } as unknown as Graph;
    const work = withSnapshots(async (snapshotOf) => {
      for (let i = 0; i < 2; i += 1) snapshotOf(graph);
      await Promise.resolve();
      t.deepEqual(released, []);
      if (fails) throw new Error('no answer');
      return taken;
    });
    if (fails) await t.throwsAsync(work, { message: 'no answer' });
    else t.is(await work, 2);
    t.deepEqual(released, [0, 1]);
  }
});
