/** Large answers are written in slices, and come out as if they were not. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import test from 'ava';
import { EntityId } from '../../src/serialization/entity-id.js';
import { slicedJson, slicedJsonList } from '../../src/serialization/sliced-json.js';

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
  t.is((await slicedJsonList(made())).toString(), JSON.stringify([...made()]));
  t.is((await slicedJsonList([])).toString(), '[]');
});

test('one list inside one element does not hold others up', async (t) => {
  const value = { data: { route: { trips: [{ calls: rows(400_000) }] } } };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.enable();
  const started = performance.now();
  await slicedJson(value);
  const took = performance.now() - started;
  delay.disable();
  t.true(delay.max / 1e6 < took / 3, `${delay.max / 1e6} ms of ${took} ms`);
});
