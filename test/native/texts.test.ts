/** Long lists that come as texts: complete, with turns of the event loop while they are parsed. */

import test from 'ava';
import { parsedInParts } from '../../src/native/texts.js';
import { turnsDuring } from '../support/turns.js';

test('a long list is parsed with turns of the event loop in between', async (t) => {
  const lists = Array.from({ length: 200 }, (_, list) => Array.from({ length: 2000 }, (_, i) => [list, i]));
  const texts = lists.map((list) => JSON.stringify(list));
  const parsing = parsedInParts(async () => texts)();
  const turns = await turnsDuring(parsing);
  t.is(JSON.stringify(await parsing), JSON.stringify(lists.flat()));
  t.true(turns >= 10, `${turns} turns`);
});

test('no text is an empty list', async (t) => {
  t.deepEqual(await parsedInParts(async () => [])(), []);
});
