/** The state that links keep. */

import test from 'ava';
import fc from 'fast-check';
import {
  BIKE_WEIGHTS,
  DATE,
  flag,
  listOf,
  number,
  oneOf,
  optional,
  PLACE,
  TIME,
} from '../../src/client/state/codec.js';
import { formatCoordinate, isSamePoint, parseCoordinate } from '../../src/client/state/place.js';

test('coordinates are read as people write them', (t) => {
  t.deepEqual(parseCoordinate(' 41.15, -8.62 '), { lat: 41.15, lon: -8.62 });
  t.deepEqual(parseCoordinate('41.15;-8.62'), { lat: 41.15, lon: -8.62 });
  for (const text of ['41.15', '91,0', '0,181', 'a,b', '1,2,3', '']) t.is(parseCoordinate(text), undefined, text);
  t.is(formatCoordinate({ lat: 41.15, lon: -8.6200001 }), '41.15000,-8.62000');
});

test('places keep their names, whatever is in them', (t) => {
  const name = fc.string({ minLength: 1 }).filter((text) => !text.includes('~'));
  const place = fc.record({ name, lat: fc.integer({ min: -90, max: 90 }), lon: fc.integer({ min: -180, max: 180 }) });
  fc.assert(fc.property(place, (given) => t.deepEqual(PLACE.read(PLACE.write(given)), given)));
  t.deepEqual(PLACE.read('48.1,15.2'), { lat: 48.1, lon: 15.2 });
  t.is(PLACE.read('somewhere'), undefined);
});

test('a list keeps its places, and leaves out what cannot be read', (t) => {
  const { codec } = listOf(PLACE);
  const places = [
    { name: 'A ~ B', lat: 1, lon: 2 },
    { lat: 3, lon: 4 },
  ];
  t.deepEqual(codec.read(codec.write(places)), [
    { name: 'A   B', lat: 1, lon: 2 },
    { lat: 3, lon: 4 },
  ]);
  t.deepEqual(codec.read('1,2~nowhere'), [{ lat: 1, lon: 2 }]);
});

test('impossible values are refused', (t) => {
  t.is(DATE.read('2026-13-01'), undefined);
  t.is(DATE.read('2026-02-31'), undefined);
  t.is(DATE.read('2028-02-29'), '2028-02-29');
  t.is(DATE.read('2026-11-23'), '2026-11-23');
  t.is(TIME.read('24:00'), undefined);
  t.is(TIME.read('23:59'), '23:59');
  t.is(BIKE_WEIGHTS.read('60,50'), undefined);
  t.deepEqual(BIKE_WEIGHTS.read('60,40'), { safety: 60, flatness: 40 });
  t.is(number({ least: 0, most: 5 }).codec.read('6'), undefined);
  t.is(number().codec.read(''), undefined);
  t.is(flag().codec.read('yes'), undefined);
  t.is(oneOf(['a', 'b'], 'a').codec.read('c'), undefined);
  t.is(optional(TIME).codec.read(''), undefined);
});

test('points are the same at the precision of the address', (t) => {
  t.true(isSamePoint({ lat: 1, lon: 2 }, { lat: 1.000001, lon: 2 }));
  t.false(isSamePoint({ lat: 1, lon: 2 }, { lat: 1.0001, lon: 2 }));
  t.false(isSamePoint({ lat: 1, lon: 2 }, undefined));
  t.true(isSamePoint(undefined, undefined));
});
