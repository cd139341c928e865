/** The places of a trip that are marked on the map. */

import test from 'ava';
import type { Itinerary, Leg } from '../../src/client/api/answers.js';
import { changesOf } from '../../src/client/plan/itinerary.js';

const place = (name: string, vertexType = 'NORMAL') => ({ name, lat: 48, lon: 15, vertexType });

/** An itinerary through places, with a mode between each two of them. */
function trip(...[start, ...parts]: Array<string | ReturnType<typeof place>>): Itinerary {
  const legs: unknown[] = [];
  let from = start;
  for (let i = 0; i < parts.length; i += 2) {
    const [mode, to] = [parts[i], parts[i + 1]];
    legs.push({ mode, from, to, transitLeg: mode === 'BUS' } as unknown as Leg);
    from = to;
  }
  return { legs } as Itinerary;
}

const marked = ({ legs }: Itinerary) => legs.flatMap((leg) => changesOf(leg, legs)).map(({ name }) => name);
const [home, work] = [place('home'), place('work')];

test('stops where the traveller gets on and off are marked', (t) => {
  t.deepEqual(marked(trip(home, 'WALK', place('A', 'TRANSIT'), 'BUS', place('B', 'TRANSIT'), 'WALK', work)), [
    'A',
    'B',
  ]);
});

test('places where a bicycle is rented, returned or parked are marked', (t) => {
  const [rented, returned] = [place('rented', 'BIKESHARE'), place('returned', 'BIKESHARE')];
  t.deepEqual(marked(trip(home, 'WALK', rented, 'BICYCLE', returned, 'WALK', work)), ['rented', 'returned']);
  t.deepEqual(marked(trip(home, 'BICYCLE', place('parked', 'BIKEPARK'), 'WALK', work)), ['parked']);
});

test('a bicycle that is pushed for a while leaves no marks', (t) => {
  t.deepEqual(marked(trip(home, 'BICYCLE', place('steps'), 'WALK', place('top'), 'BICYCLE', work)), []);
});

test('the place where a car is left is marked, unless it is the destination', (t) => {
  t.deepEqual(marked(trip(home, 'CAR', place('lot'), 'WALK', work)), ['lot']);
  t.deepEqual(marked(trip(home, 'CAR', work)), []);
  t.deepEqual(marked(trip(home, 'CAR', place('on the way'), 'CAR', work)), []);
});
