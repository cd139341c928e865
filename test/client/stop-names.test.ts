/** Names and marks of stops in the server's style. */

import { createPropertyExpression, featureFilter, latest } from '@maplibre/maplibre-gl-style-spec';
import test from 'ava';
import { presentStyle } from '../../src/serialization/map-style.js';

const style = presentStyle('town', 'light', () => '');
const names: any = style.layers.find(({ id }) => id === 'stop-names');
const stops: any = style.layers.find(({ id }) => id === 'stops');

/** A feature of the stops. */
const stop = (modes: string, locationType = 0) => ({ type: 'Point', properties: { modes, locationType } }) as any;

/** The value of a property of a layer for a feature. */
function drawnAs(layer: any, part: 'layout' | 'paint', name: string, zoom: number, feature: unknown): any {
  const made = createPropertyExpression(layer[part][name], name, (latest as any)[`${part}_${layer.type}`][name]);
  if (made.result === 'error') throw made.value[0];
  return made.value.evaluate({ zoom }, feature as any);
}

const isNamed = (zoom: number, feature: any) =>
  zoom >= names.minzoom && featureFilter(names.filter, 'filter').filter({ zoom }, feature);

for (const [modes, from] of [
  ['RAIL', 11],
  ['BUS,RAIL', 11],
  ['SUBWAY', 13],
  ['BUS,SUBWAY', 13],
  ['BUS,TRAM', 14],
  ['BUS', 15],
  ['', 15],
] as const) {
  test(`a stop of ${modes || 'nothing'} has its name from zoom ${from}`, (t) => {
    const seen = [9, 10, 11, 12, 13, 14, 15, 16].filter((zoom) => isNamed(zoom, stop(modes)));
    t.is(seen[0], from);
    t.is(seen.length, 17 - from, 'and at each one from there');
    t.false(isNamed(16, stop(modes, 2)), 'entrances have none');
  });
}

test('stops of trains and metros are larger than those of buses and above them, and their names come first', (t) => {
  for (const zoom of [13, 15, 18]) {
    const [rail, metro, bus] = ['RAIL', 'BUS,SUBWAY', 'BUS'].map((modes) =>
      drawnAs(stops, 'paint', 'circle-radius', zoom, stop(modes)),
    );
    t.true(rail > bus && metro > bus, `${rail} ${metro} ${bus} at ${zoom}`);
  }
  const order = (layer: any, name: string) =>
    ['BUS', 'TRAM', 'SUBWAY', 'RAIL'].map((modes) => drawnAs(layer, 'layout', name, 15, stop(modes)));
  const [above, first] = [order(stops, 'circle-sort-key'), order(names, 'symbol-sort-key')];
  t.deepEqual(
    above,
    above.toSorted((one: number, other: number) => one - other),
  );
  t.deepEqual(
    first,
    first.toSorted((one: number, other: number) => other - one),
  );
  t.is(new Set(above).size, 4);
});

test('no mark of a stop covers the beginning of its name, and the lines of a name begin beside it', (t) => {
  t.is(names.layout['text-justify'], 'auto');
  for (const zoom of [11, 13, 14, 15, 16, 17, 18, 20]) {
    for (const modes of ['RAIL', 'SUBWAY', 'TRAM', 'BUS']) {
      const size = drawnAs(names, 'layout', 'text-size', zoom, stop(modes));
      const distance = size * drawnAs(names, 'layout', 'text-radial-offset', zoom, stop(modes));
      const [radius, edge] = ['circle-radius', 'circle-stroke-width'].map((name) =>
        drawnAs(stops, 'paint', name, zoom, stop(modes)),
      );
      t.true(distance >= radius + edge + 1, `${modes} at ${zoom}: ${distance} beside ${radius} and ${edge}`);
    }
  }
});
