/** Geometries of what is reached within a time. */

import test from 'ava';
import { walkshedGeometry } from '../../src/serialization/geo-json.js';
import { slicedJson } from '../../src/serialization/sliced-json.js';
import { turnsDuring } from '../support/turns.js';

/** Lines of so many positions each. */
const walkshed = (...counts: number[]) => ({
  parts: Uint32Array.from(counts),
  coordinates: Float64Array.from({ length: 2 * counts.reduce((sum, count) => sum + count, 0) }, (_, i) => i / 3e4),
});

for (const [form, counts, expected] of [
  ['POINTS', [2], '{"type":"MultiPoint","coordinates":[[0,0],[0.0001,0.0001]]}'],
  ['POINTS', [0], '{"type":"MultiPoint","coordinates":[]}'],
  ['SHED', [3], '{"type":"Polygon","coordinates":[[[0,0],[0.0001,0.0001],[0.0001,0.0002]]]}'],
  ['SHED', [0], '{"type":"Polygon","coordinates":[]}'],
  ['EDGES', [1, 0, 2], '{"type":"MultiLineString","coordinates":[[[0,0]],[[0.0001,0.0001],[0.0001,0.0002]]]}'],
] as const) {
  test(`${form} of ${counts.join(' and ')} positions`, async (t) => {
    t.is((await slicedJson(walkshedGeometry(form, walkshed(...counts)))).toString(), expected);
  });
}

test('positions below 0 are rounded as the interface rounds them', async (t) => {
  const found = { parts: Uint32Array.of(1), coordinates: Float64Array.of(-0.00004, -8.62915) };
  const text = (await slicedJson(walkshedGeometry('POINTS', found))).toString();
  t.is(text, '{"type":"MultiPoint","coordinates":[[0,-8.6291]]}');
});

for (const [form, counts] of [
  ['POINTS', [500_000]],
  ['SHED', [500_000]],
  ['EDGES', Array.from({ length: 50_000 }, () => 10)],
] as const) {
  test(`${form} of a region are written with turns of the event loop in between`, async (t) => {
    const written = slicedJson(walkshedGeometry(form, walkshed(...counts)));
    const turns = await turnsDuring(written);
    const { length } = await written;
    t.true(turns > length / 1e6, `${turns} turns for ${length} bytes`);
  });
}
