/** Long work of all kinds shares the turns of the event loop. */

import test from 'ava';
import { firstTurn, nextTurn } from '../src/turns.js';

const NEVER = new AbortController().signal;

/** One turn of the loop. */
const loop = () => new Promise<void>((resolve) => setImmediate(resolve));

test.serial('one piece of work per turn of the loop, in order', async (t) => {
  const seen: number[] = [];
  for (let i = 0; i < 20; i++) nextTurn().then(() => seen.push(i));
  for (let turn = 0; turn < 10; turn++) await loop();
  t.true(seen.length >= 8 && seen.length <= 11, `${seen.length} pieces in ten turns`);
  while (seen.length < 20) await loop();
  t.deepEqual(
    seen,
    Array.from({ length: 20 }, (_, i) => i),
  );
});

test.serial('new work begins while little is in progress, and waits while much is', async (t) => {
  let begun = 0;
  let goingOn = 0;
  let over = false;
  const work = async () => {
    while (!over) {
      await nextTurn();
      goingOn += 1;
    }
  };
  const first = Array.from({ length: 40 }, () => work());
  for (let i = 0; i < 3; i++) firstTurn(60_000, NEVER).then(() => (begun += 1));
  for (let turn = 0; turn < 100; turn++) await loop();
  t.deepEqual([begun, goingOn > 90], [0, true]);
  over = true;
  await Promise.all(first);
  while (begun < 3) await loop();
  t.pass();
});

test.serial('work that waits too long, or whose client leaves, does not begin', async (t) => {
  let over = false;
  const busy = Array.from({ length: 20 }, async () => {
    while (!over) await nextTurn();
  });
  const leaving = new AbortController();
  const left = firstTurn(60_000, leaving.signal);
  leaving.abort();
  t.false(await left);
  t.false(await firstTurn(60_000, leaving.signal));
  t.false(await firstTurn(10, NEVER));
  over = true;
  await Promise.all(busy);
  t.true(await firstTurn(60_000, NEVER));
});
