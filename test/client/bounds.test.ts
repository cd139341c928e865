/** Areas of graphs on the map. */

import test from 'ava';
import type { RouterInfo } from '../../src/client/api/answers.js';
import { boundsAround, boundsOf, contains, firstBoundsOf } from '../../src/client/map/bounds.js';
import { lineFeature } from '../../src/client/map/features.js';

const corners = (west: number, east: number) => ({
  lowerLeftLongitude: west,
  lowerLeftLatitude: -47,
  upperRightLongitude: east,
  upperRightLatitude: -34,
});
const area = (west: number, east: number) => boundsOf(corners(west, east) as RouterInfo);

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

test('the area of transit is shown first, where there is transit', (t) => {
  const first = (transitArea?: RouterInfo['transitArea']) =>
    firstBoundsOf({ ...corners(166, -176), transitArea } as RouterInfo);
  t.deepEqual(first(corners(179, -179)), [179, -47, 181, -34]);
  t.deepEqual(first(), [166, -47, 184, -34]);
});

test('the area around points on both sides of the meridian is the smaller one', (t) => {
  const around = (...lons: number[]) => boundsAround(lons.map((lon) => [lon, -17] as const));
  t.deepEqual(around(179, -179, 178), [178, -17, 181, -17]);
  t.deepEqual(around(-9, 3), [-9, -17, 3, -17]);
  t.deepEqual(around(-179, -178), [-179, -17, -178, -17]);
  t.deepEqual(around(-8.65, -8.6), [-8.65, -17, -8.6, -17], 'with 360 added, it is smaller by rounding');
  t.is(around(), undefined);
});

test('lines go on beyond the meridian', (t) => {
  const drawn = (...lons: number[]) => {
    const { geometry } = lineFeature(lons.map((lon) => ({ lat: 0, lon })));
    return geometry.type === 'LineString' ? geometry.coordinates.map(([lon]) => lon) : [];
  };
  t.deepEqual(drawn(178, 179, -179, -178), [178, 179, 181, 182]);
  t.deepEqual(drawn(-179, 179, -179), [-179, -181, -179]);
  t.deepEqual(drawn(-9, 3, 170), [-9, 3, 170]);
});
