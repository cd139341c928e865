/** How the origins of a matrix are divided among threads. */

import test from 'ava';
import { originSlices } from '../../src/analysis/matrix.js';

const sizes = (count: number, destinations: number, threads?: number) =>
  Array.from(originSlices(new Float64Array(2 * count), destinations, threads), ({ origins }) => origins.length / 2);

test('slices contain all origins and keep the number of times limited', (t) => {
  for (const [count, destinations, threads] of [
    [1227, 1227, 2],
    [1000, 50, 8],
    [7, 3_000_000, 2],
    [3, 2, 16],
    [0, 10, 2],
  ] as const) {
    const slices = sizes(count, destinations, threads);
    t.is(
      slices.reduce((sum, rows) => sum + rows, 0),
      count,
    );
    t.true(slices.every((rows) => rows === 1 || rows * destinations <= 100_000));
  }
});

test('slices say how many origins are left', (t) => {
  const slices = originSlices(new Float64Array(2 * 25), 10_000);
  t.deepEqual(
    Array.from(slices, ({ originsLeft }) => originsLeft),
    [25, 15, 5],
  );
});

test('the last slices are small where several threads share them', (t) => {
  const slices = sizes(1227, 1227, 2);
  t.is(slices[0], 81);
  t.deepEqual(
    slices,
    slices.toSorted((a, b) => b - a),
  );
  t.true((slices.at(-1) ?? 0) <= 4);
  t.deepEqual(sizes(170, 1000), [100, 70], 'one thread takes as many as fit');
});
