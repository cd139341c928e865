/** The names of places that a user points at on the map. */

import test from 'ava';
import { lineFeature } from '../../src/client/map/features.js';
import { nearestStreet } from '../../src/client/map/place-at.js';

/** A degree is a pixel. */
const project = ([x = 0, y = 0]: number[]) => ({ x, y });

/** A street across the view, this many pixels below the top. */
function street(name: string, y: number, type = 'minor') {
  const ends = [-80, 80].map((lon) => ({ lat: y, lon }));
  return lineFeature(ends, { name, class: type }) as Parameters<typeof nearestStreet>[0][number];
}

const nameAt = (streets: Array<ReturnType<typeof street>>) => nearestStreet(streets, { x: 0, y: 0 }, project);

test('a place has the name of the nearest street, whichever is drawn first', (t) => {
  const streets = [street('Avenue', 9, 'primary'), street('Lane', -4), street('Alley', 6)];
  t.is(nameAt(streets), 'Lane');
  t.is(nameAt(streets.toReversed()), 'Lane');
});

test('a place has no name of a line that nobody walks along', (t) => {
  const motorways = [street('A 41', 1, 'motorway'), street('Exit 3', 2, 'motorway_link')];
  t.is(nameAt([...motorways, street('Avenue', 20, 'primary')]), 'Avenue');
  t.is(nameAt([...motorways, street('To the island', 3, 'ferry')]), undefined);
  t.is(nameAt([]), undefined);
});

test('the distance of a street is that to its nearest part', (t) => {
  const bent = {
    properties: { name: 'Bent', class: 'minor' },
    geometry: {
      type: 'MultiLineString',
      coordinates: [
        [[50, 50]],
        [
          [90, 90],
          [3, 0],
          [90, -90],
        ],
      ],
    } as const,
  } as unknown as ReturnType<typeof street>;
  t.is(nameAt([street('Straight', 5), bent]), 'Bent');
  t.is(nameAt([street('Straight', 2), bent]), 'Straight');
});
