/** Rows of a matrix as JSON. */

import test from 'ava';
import { UNREACHED } from '../../src/analysis/matrix.js';
import { matrixRows } from '../../src/analysis/matrix-rows.js';

for (const width of [1, 7, 10_000, 70_000]) {
  test(`rows of ${width} times are written with a turn for others after every ten thousand times`, async (t) => {
    const times = Int32Array.from({ length: 70_000 }, (_, i) => (i % 11 === 3 ? UNREACHED : i));
    let turns = 0;
    let text = '';
    for await (const piece of matrixRows(times, width)) {
      text += piece;
      setImmediate(() => {
        turns += 1;
      });
      t.true(piece.length < 100_000);
    }
    const rows = Array.from({ length: times.length / width }, (_, row) =>
      [...times.subarray(row * width, (row + 1) * width)].map((time) => (time === UNREACHED ? null : time)),
    );
    t.deepEqual(JSON.parse(`[${text}]`), rows);
    t.true(turns >= 6);
  });
}
