import test from 'ava';
import type { GraphInfo } from '../../src/native/types.js';
import { presentTileJson } from '../../src/serialization/vector-tile.js';

const layer = { key: 'stops', description: 'Stops', minZoom: 10, maxZoom: 14, fields: {} };

test('the bounds of a graph on both sides of the meridian of 180° are around the earth', (t) => {
  const boundsOf = (west: number, east: number) => {
    const info = {
      lowerLeftLongitude: west,
      lowerLeftLatitude: -47,
      upperRightLongitude: east,
      upperRightLatitude: -34,
    };
    return presentTileJson('r', [layer] as never, info as GraphInfo, '/{z}/{x}/{y}').bounds;
  };
  t.deepEqual(boundsOf(166, 178), [166, -47, 178, -34]);
  t.deepEqual(boundsOf(166, -176), [-180, -47, 180, -34]);
});

test('a graph without streets is not attributed to OpenStreetMap', (t) => {
  const attribution = (vertices: number) =>
    presentTileJson('r', [layer] as never, { vertices } as GraphInfo, '/{z}/{x}/{y}').attribution;
  t.regex(attribution(1), /OpenStreetMap/);
  t.is(attribution(0), '');
});
