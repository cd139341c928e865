/** Large answers are written in slices, with the same result. */

import test from 'ava';
import type { Context } from 'koa';
import { respondLargeJson } from '../../src/http/answers/respond.js';
import { EntityId } from '../../src/serialization/entity-id.js';
import { jsonSlices, ListInParts, slicedJson } from '../../src/serialization/sliced-json.js';
import { turnsDuring } from '../support/turns.js';

const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ i, text: `ç "${i}"`, gap: undefined }));

for (const [name, value] of Object.entries({
  empty: {},
  'an empty list': { list: [] },
  'a long list': { list: rows(3000) },
  'long lists in long lists': { a: rows(40).map((row) => ({ ...row, inner: rows(900), none: undefined })), b: null },
  'small and large elements': [1, rows(2500), undefined, 'text', rows(2500), {}, []],
  'a long text': ['x'.repeat(200_000), 'y'],
  'ids and dates': Array.from({ length: 3000 }, () => [EntityId.parse('1:a:b'), new Date(0)]),
  'a list of undefined': Array.from({ length: 5000 }),
})) {
  test(`${name} is written as JSON.stringify writes it`, async (t) => {
    t.true((await slicedJson(value)).equals(Buffer.from(JSON.stringify(value))));
  });
}

test('a list is written while it is made', async (t) => {
  const made = function* () {
    for (let i = 0; i < 5000; i++) yield { i };
  };
  t.is((await slicedJson(made())).toString(), JSON.stringify([...made()]));
});

test('lists inside an answer are written while they are made', async (t) => {
  const made = function* (count: number) {
    for (let i = 0; i < count; i++) yield { i };
  };
  const value = () => ({ name: 'x', many: made(5000), none: made(0), after: { list: made(3) } });
  const expected = { name: 'x', many: [...made(5000)], none: [], after: { list: [...made(3)] } };
  t.is((await slicedJson(value())).toString(), JSON.stringify(expected));
});

test('one list inside one element does not block others', async (t) => {
  const value = { data: { route: { trips: [{ calls: rows(400_000) }] } } };
  const written = slicedJson(value);
  const turns = await turnsDuring(written);
  const { length } = await written;
  t.true(turns > length / 1e6, `${turns} turns for ${length} bytes`);
});

test('a list in parts is made while it is written', async (t) => {
  const made: number[] = [];
  const list = (numbers: readonly number[]) =>
    new ListInParts(async function* () {
      for (const number of numbers) {
        made.push(number);
        yield rows(number);
      }
    });
  const value = { a: [{ list: list([0, 3, 2500, 1]) }], none: list([]), empty: list([0, 0]), made };
  const expected = {
    a: [{ list: [...rows(3), ...rows(2500), ...rows(1)] }],
    none: [],
    empty: [],
    made: [0, 3, 2500, 1, 0, 0],
  };
  t.is((await slicedJson(value)).toString(), JSON.stringify(expected));
});

test('lists in parts hold lists in parts', async (t) => {
  const deep = (depth: number): unknown =>
    depth === 0
      ? 'x'
      : new ListInParts(async function* () {
          yield [deep(depth - 1), { depth }];
          yield [deep(depth - 1)];
        });
  t.is((await slicedJson(deep(2))).toString(), '[["x",{"depth":1},"x"],{"depth":2},["x",{"depth":1},"x"]]');
});

test('the first bytes come before the whole list is made', async (t) => {
  let made = 0;
  const list = new ListInParts(async function* () {
    for (made = 0; made < 100; made++) yield rows(1000);
  });
  const slices = jsonSlices({ list });
  const { value } = await slices.next();
  t.true(value.length > 0 && value.length < 1e6, `${value.length} bytes`);
  t.true(made < 50, `${made} parts`);
  await slices.return(undefined);
  t.true(made < 50);
});

test('large answers leave turns of the event loop for others', async (t) => {
  const row = Array.from({ length: 1000 }, (_, i) => (i % 7 === 0 ? null : i));
  const seconds = Array.from({ length: 1000 }, () => row);
  const ctx = { set: () => {}, body: undefined as Buffer | undefined };
  const turns = await turnsDuring(respondLargeJson(ctx as unknown as Context, { seconds }));
  t.true(turns > 10, `${turns} turns`);
  t.deepEqual(JSON.parse(String(ctx.body)), { seconds });
});
