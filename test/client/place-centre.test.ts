/** The centres of areas in the web client. */

import test from 'ava';
import { centreOf } from '../../src/client/analyse/place-centre.js';

type Position = [lon: number, lat: number];

for (const [name, ring, lat, lon] of [
  ['a box', box(10, 50), 50.5, 11],
  ['a box whose corners are listed the other way round', box(10, 50).reverse(), 50.5, 11],
  ['a box across the 180th meridian', box(179.5, -17), -16.5, -179.5],
  [
    'a triangle',
    [
      [0, 0],
      [3, 0],
      [0, 3],
      [0, 0],
    ],
    1,
    1,
  ],
  [
    'a line there and back',
    [
      [0, 0],
      [3, 0],
      [0, 0],
    ],
    0,
    1,
  ],
  // The way from its first corner to the others is longer than half of the Earth.
  ['an area wider than half of the Earth', wide(-120, 120), 5, 0],
  ['such an area across the 180th meridian', wide(20, -60), 5, 160],
  [
    'the whole Earth',
    [
      [-180, -90],
      [180, -90],
      [180, 90],
      [-180, 90],
      [-180, -90],
    ],
    0,
    0,
  ],
  [
    'an area around a pole',
    [
      [-120, 60],
      [0, 60],
      [120, 60],
      [-120, 60],
    ],
    60,
    -30,
  ],
] as ReadonlyArray<readonly [string, Position[], number, number]>) {
  test(`the centre of ${name}`, (t) => {
    const geometry = { type: 'Polygon' as const, coordinates: [ring] };
    const rounded = (degrees: number) => Number(degrees.toFixed(9));
    const centre = centreOf({ type: 'Feature', geometry, properties: { structured: {} } });
    t.deepEqual(centre.map(rounded), [lat, lon]);
  });
}

/** Two degrees from west to east and one from south to north. */
function box(west: number, south: number): Position[] {
  const east = west + 2 > 180 ? west + 2 - 360 : west + 2;
  return [
    [west, south],
    [east, south],
    [east, south + 1],
    [west, south + 1],
    [west, south],
  ];
}

/** From one longitude east to another one, in four steps. */
function wide(west: number, east: number): Position[] {
  const width = (east - west + 360) % 360;
  const steps = [0, 1, 2, 3, 4].map((step) => west + (width * step) / 4).map((lon) => (lon > 180 ? lon - 360 : lon));
  const [south, north] = [steps.map((lon): Position => [lon, 0]), steps.map((lon): Position => [lon, 10])];
  return [...south, ...north.reverse(), [west, 0]];
}
