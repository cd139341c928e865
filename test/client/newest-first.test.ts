/** Requests that follow something that moves. */

import test from 'ava';
import { NewestFirst } from '../../src/client/analyse/newest-first.js';

/** Requests that the test answers by their names, and what came of them. */
function requests() {
  const under = new Map<string, { resolve: (answer: string) => void; reject: (error: Error) => void }>();
  const shown: string[] = [];
  const newest = new NewestFirst<string, string>(
    (query) => new Promise((resolve, reject) => under.set(query, { resolve, reject })),
    (answer) => shown.push(answer),
    (error) => shown.push(String(error)),
  );
  const settle = async (query: string, failure?: Error) => {
    const request = under.get(query);
    if (failure) request?.reject(failure);
    else request?.resolve(query);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { newest, shown, under, settle };
}

test('two requests are under way, of the others only the newest is sent', async (t) => {
  const { newest, shown, under, settle } = requests();
  for (const query of ['a', 'b', 'c', 'd']) newest.request(query);
  t.deepEqual([...under.keys()], ['a', 'b']);
  await settle('b');
  t.deepEqual([...under.keys()], ['a', 'b', 'd']);
  await settle('a');
  t.deepEqual(shown, ['b'], 'an older answer does not replace a newer one');
  await settle('d');
  t.deepEqual(shown, ['b', 'd']);
});

test('the failure of an older request does not count for the newest', async (t) => {
  const { newest, shown, settle } = requests();
  newest.request('a');
  newest.request('b');
  await settle('a', new Error('a'));
  t.deepEqual(shown, []);
  await settle('b');
  t.deepEqual(shown, ['b']);
  newest.request('c');
  await settle('c', new Error('c'));
  t.deepEqual(shown, ['b', 'Error: c']);
});

test('after stop, nothing is shown', async (t) => {
  const { newest, shown, settle } = requests();
  newest.request('a');
  newest.stop();
  await settle('a');
  t.deepEqual(shown, []);
});
