/** Long lists are read in turns that take as long as their elements allow. */

import test from 'ava';
import { Pace } from '../../src/graphql/pace.js';

/** Turns of the event loop until the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let done = false;
  const count = () => {
    turns += 1;
    if (!done) setImmediate(count);
  };
  count();
  await work;
  done = true;
  return turns;
}

function burn(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('elements keep their order', async (t) => {
  const pace = new Pace(() => {});
  const numbers = Array.from({ length: 640 }, (_, i) => i);
  const seen: number[] = [];
  await Promise.all(numbers.map(async (i) => seen.push(await pace.turn(i))));
  t.deepEqual(seen, numbers);
});

test('elements that cost much come one by one', async (t) => {
  const pace = new Pace(() => {});
  const work = Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      await pace.turn(i);
      burn(5);
    }),
  );
  t.true((await turnsDuring(work)) > 40);
});

test('a check that fails fails what waits', async (t) => {
  const pace = new Pace(() => {
    throw new Error('too long');
  });
  await t.throwsAsync(pace.turn(1), { message: 'too long' });
});
