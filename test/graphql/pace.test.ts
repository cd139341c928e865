/** Long lists are read in turns whose length depends on the cost of their elements. */

import test from 'ava';
import { Pace } from '../../src/graphql/pace.js';
import { burn, turns, turnsDuring } from '../support/turns.js';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Reads a list, spending time on each element. */
function read(pace: Pace, count: number, milliseconds = 0): Promise<number[]> {
  const element = async (i: number) => {
    const seen = await pace.turn(i);
    if (milliseconds > 0) burn(milliseconds);
    return seen;
  };
  return Promise.all(numbers(count).map(element));
}

test('elements keep their order', async (t) => {
  const pace = new Pace(() => true);
  const seen: number[] = [];
  await Promise.all(numbers(640).map((i) => pace.turn(i).then((element) => seen.push(element))));
  t.deepEqual(seen, numbers(640));
});

test('expensive elements come one at a time', async (t) => {
  t.true((await turnsDuring(read(new Pace(() => true), 60, 5))) > 40);
});

test('cheap elements share a turn', async (t) => {
  t.true((await turnsDuring(read(new Pace(() => true), 2000))) < 200);
});

for (const [name, end] of [
  ['the stop', (pace: Pace) => pace.stop()],
  ['a no', () => {}],
] as const) {
  test(`nothing gets a turn after ${name}`, async (t) => {
    const pace = new Pace(() => name !== 'a no');
    let turnsGiven = 0;
    const work = [read(pace, 100, 5)];
    end(pace);
    work.push(pace.turn(1).then((element) => [element]));
    for (const each of work) void each.then(() => (turnsGiven += 1));
    await turns(300);
    t.is(turnsGiven, 0);
  });
}
