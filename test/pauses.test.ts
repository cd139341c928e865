/** Pauses between tries. */

import test from 'ava';
import { pauseAfter } from '../src/pauses.js';

test('pauses grow with the failures, are random, and have a limit', (t) => {
  const pauses = (random: number) => [1, 2, 3, 40].map((failures) => pauseAfter(failures, 1000, 60_000, () => random));
  t.deepEqual(pauses(0), [750, 1500, 3000, 45_000]);
  t.deepEqual(pauses(1), [1000, 2000, 4000, 60_000]);
});
