/** Work in queues is done one item at a time. */

import test from 'ava';
import { Queue, Queues } from '../src/queues.js';

/** One turn of the loop. */
const loop = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Work that notes when it begins and ends. */
function noted(seen: string[], name: string) {
  return async () => {
    seen.push(`${name} begins`);
    await loop();
    seen.push(`${name} ends`);
    if (name === 'bad') throw new Error(name);
    return name;
  };
}

const IN_TURN = ['bad begins', 'bad ends', 'good begins', 'good ends'];

test('work begins when the work before it has ended or failed', async (t) => {
  const seen: string[] = [];
  const queue = new Queue();
  const bad = t.throwsAsync(queue.take(noted(seen, 'bad')), { message: 'bad' });
  t.is(await queue.take(noted(seen, 'good')), 'good');
  await bad;
  t.deepEqual(seen, IN_TURN);
});

test('a queue is settled when its work has ended', async (t) => {
  const seen: string[] = [];
  const queue = new Queue();
  await queue.settled();
  queue.take(noted(seen, 'good'));
  await queue.settled();
  t.deepEqual(seen, ['good begins', 'good ends']);
});

test('each name has its own queue', async (t) => {
  const seen: string[] = [];
  const queues = new Queues();
  const bad = t.throwsAsync(queues.take('one', noted(seen, 'bad')), { message: 'bad' });
  const good = queues.take('one', noted(seen, 'good'));
  const other: string[] = [];
  await queues.take('other', noted(other, 'good'));
  t.deepEqual(seen.slice(0, 2), IN_TURN.slice(0, 2), 'the other one did not wait');
  t.is(await good, 'good');
  await bad;
  t.deepEqual(seen, IN_TURN);
});
