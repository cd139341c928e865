/** Areas of graphs on the map. */

import test from 'ava';
import type { RouterInfo } from '../../src/client/api/answers.js';
import { boundsOf, contains } from '../../src/client/map/bounds.js';

const area = (west: number, east: number) =>
  boundsOf({
    lowerLeftLongitude: west,
    lowerLeftLatitude: -47,
    upperRightLongitude: east,
    upperRightLatitude: -34,
  } as RouterInfo);

test('an area on both sides of the 180th meridian contains what lies between its edges', (t) => {
  t.deepEqual(area(166, -176), [166, -47, 184, -34]);
  const inside = (lon: number) => contains(area(166, -176), { lat: -40, lon });
  t.deepEqual([170, 180, -180, -177].map(inside), [true, true, true, true]);
  t.deepEqual([165, -175, 0].map(inside), [false, false, false]);
});

test('other areas contain nothing on the other side of the earth', (t) => {
  t.deepEqual(area(-9, 3), [-9, -47, 3, -34]);
  const inside = (lon: number) => contains(area(-9, 3), { lat: -40, lon });
  t.deepEqual([-9, 0, 3].map(inside), [true, true, true]);
  t.deepEqual([-10, 4, 180, -180].map(inside), [false, false, false, false]);
});
