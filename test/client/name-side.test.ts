/** The sides of their places on which names are drawn on the map. */

import { createPropertyExpression, featureFilter, latest } from '@maplibre/maplibre-gl-style-spec';
import test from 'ava';
import { pointFeature } from '../../src/client/map/features.js';
import { type NamedMap, nameBeside, sideOf } from '../../src/client/map/name-side.js';
import { withoutNames } from '../../src/client/map/without-names.js';

/** A map on which a degree of longitude is a pixel, with buttons at its right. */
function mapOf(width: number): NamedMap {
  return {
    map: {
      project: ([x, y]) => ({ x, y }),
      getContainer: () => ({ clientWidth: width }),
    },
    covered: { right: 84 },
  };
}

const LONG = 'CENTRAL STATION (EXPRESS)';

for (const [what, width, x, name, pins, side] of [
  ['at the left edge', 860, 40, LONG, [], 'right'],
  ['in the middle', 860, 430, LONG, [], 'right'],
  ['with room for it before the buttons', 860, 630, LONG, [], 'right'],
  ['with less room', 860, 640, LONG, [], 'left'],
  ['at the right edge', 860, 776, LONG, [], 'left'],
  ['with less room than one long word takes', 860, 600, 'Verkehrsmuseumsgasse', [], 'left'],
  ['with room for a short name', 860, 700, 'Quay', [], 'right'],
  ['in the left half of a phone', 390, 150, LONG, [], 'right'],
  ['in the right half of a phone', 390, 240, LONG, [], 'left'],
  ['under a pin that covers as much at both sides', 860, 430, LONG, [[430, 5]], 'right'],
  ['at the left of a pin', 860, 430, LONG, [[450, 5]], 'left'],
  ['at the right of a pin', 860, 430, LONG, [[400, 5]], 'right'],
  ['above the point of a pin', 860, 430, LONG, [[450, 60]], 'right'],
  ['below a pin', 860, 430, LONG, [[450, -30]], 'right'],
  ['at the right edge, under a pin that is at its left', 860, 776, LONG, [[750, 5]], 'left'],
] as const) {
  test(`the name of a place ${what} is at its ${side}`, (t) => {
    const marks = pins.map(([lon, lat]) => ({ lat, lon }));
    t.is(sideOf(pointFeature({ lat: 0, lon: x }, { name }), mapOf(width), marks), side);
  });
}

test('names are drawn at the side of their places, at the same distance', (t) => {
  const layout: any = nameBeside(1.3);
  const drawn = (name: 'text-anchor' | 'text-offset', side: string) => {
    const made = createPropertyExpression(layout[name], name, (latest.layout_symbol as any)[name]);
    if (made.result === 'error') throw made.value[0];
    return made.value.evaluate({ zoom: 14 }, { type: 'Point', properties: { side } } as any);
  };
  t.deepEqual([drawn('text-anchor', 'left'), drawn('text-offset', 'left')].map(String), ['right', '-1.3,0']);
  t.is(layout['text-justify'], 'auto', 'all lines begin or end at the mark');
  t.deepEqual([drawn('text-anchor', 'right'), drawn('text-offset', 'right')].map(String), ['left', '1.3,0']);
});

test('the names of stops that an overlay draws are left out of the style', (t) => {
  const names = (filter?: unknown): any => ({
    id: 'stop-names',
    type: 'symbol',
    source: 'map',
    ...(filter ? { filter } : {}),
  });
  const isDrawn = (layer: any, id: string, locationType: number) =>
    featureFilter(layer.filter, 'filter').filter({ zoom: 16 }, {
      type: 'Point',
      properties: { id, locationType },
    } as any);
  const low = ['<', ['get', 'locationType'], 2];
  for (const layer of [withoutNames(names(), ['1:A', '1:B']), withoutNames(names(low), ['1:A', '1:B'])]) {
    t.deepEqual(
      ['1:A', '1:B', '1:C'].map((id) => isDrawn(layer, id, 0)),
      [false, false, true],
    );
  }
  t.false(isDrawn(withoutNames(names(low), ['1:A']), '1:C', 2), 'what the style leaves out stays so');
  const stops: any = { ...names(low), id: 'stops', type: 'circle' };
  t.is(withoutNames(stops, ['1:A']), stops);
});
