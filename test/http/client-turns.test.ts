/** Clients take turns, whatever one of them sends. */

import test from 'ava';
import { ClientTurns } from '../../src/server/client-turns.js';
import { gate } from '../support/gate.js';

test('a client that has sent much waits for those that have sent little', async (t) => {
  const turns = new ClientTurns(1, 100);
  const first = gate();
  const order: string[] = [];
  const ask = (client: string, name: string) =>
    turns.take(client, async () => {
      order.push(name);
    });
  const all = [turns.take('a', () => first.promise)];
  for (let i = 0; i < 5; i++) all.push(ask('a', `a${i}`));
  all.push(ask('b', 'b0'), ask('c', 'c0'), ask('b', 'b1'));
  first.open();
  await Promise.all(all);
  t.deepEqual(order, ['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3', 'a4']);
});

test('few run at once, few wait, and failures free their place', async (t) => {
  const turns = new ClientTurns(2, 3);
  const end = gate();
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await end.promise;
    running -= 1;
    throw new Error('failed');
  };
  const asked = Array.from({ length: 8 }, (_, i) => turns.take(`client ${i}`, work));
  end.open();
  const reasons = (await Promise.allSettled(asked)).map((outcome) => (outcome as PromiseRejectedResult).reason);
  t.is(reasons.filter(({ message }) => message === 'failed').length, 5);
  t.is(reasons.filter(({ status }) => status === 503).length, 3);
  t.is(most, 2);
  t.is(await turns.take('later', async () => 'done'), 'done');
});
