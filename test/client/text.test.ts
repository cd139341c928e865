/** Texts that the client writes and reads. */

import test from 'ava';
import {
  clockTime,
  coordinate,
  distance,
  duration,
  instruction,
  parseCoordinate,
  price,
  travelOption,
} from '../../src/client/text/format.js';
import { decodePolyline } from '../../src/client/text/polyline.js';

test('an encoded line becomes its points', (t) => {
  t.deepEqual(decodePolyline('_p~iF~ps|U_ulLnnqC_mqNvxq`@'), [
    [38.5, -120.2],
    [40.7, -120.95],
    [43.252, -126.453],
  ]);
});

test('a line that is cut off ends early', (t) => {
  t.deepEqual(decodePolyline('_p~iF~ps|U_ulL'), [[38.5, -120.2]]);
  t.deepEqual(decodePolyline(''), []);
});

test('times are those of the place', (t) => {
  t.is(clockTime(Date.UTC(2026, 5, 1, 23, 30), 3_600_000), '00:30');
  t.is(clockTime(Date.UTC(2026, 5, 1, 2, 5), -3 * 3_600_000), '23:05');
});

test('durations and distances', (t) => {
  t.is(duration(89), '1 min');
  t.is(duration(3599), '1 h 00 min');
  t.is(duration(3900), '1 h 05 min');
  t.is(distance(81.6), '82 m');
  t.is(distance(444), '440 m');
  t.is(distance(996), '1.0 km');
});

test('prices follow the currency, and unknown currencies stand beside the amount', (t) => {
  const money = (currencyCode: string, defaultFractionDigits: number, cents: number) =>
    price({ currency: { currencyCode, defaultFractionDigits }, cents }, 'en-US');
  t.is(money('EUR', 2, 185), '€1.85');
  t.is(money('JPY', 0, 210), '¥210');
  t.is(money('tokens', 2, 300), '3.00 tokens');
});

test('coordinates are read as they are written', (t) => {
  t.deepEqual(parseCoordinate(' 41.15, -8.62 '), { lat: 41.15, lon: -8.62 });
  t.is(coordinate({ lat: 41.15, lon: -8.62 }), '41.15000,-8.62000');
  for (const wrong of ['', '41.15', 'Aliados', '91,0', '0,181', '1,2,3']) t.is(parseCoordinate(wrong), undefined);
});

test('steps and modes in words', (t) => {
  const step = { distance: 10, streetName: 'Rua Nova', stayOn: false };
  t.is(instruction({ ...step, relativeDirection: 'LEFT' }), 'Turn left onto Rua Nova');
  t.is(instruction({ ...step, relativeDirection: 'DEPART', absoluteDirection: 'NORTH' }), 'Start north onto Rua Nova');
  t.is(instruction({ ...step, relativeDirection: 'CONTINUE', stayOn: true }), 'Continue to stay on Rua Nova');
  t.is(travelOption('KISSRIDE'), 'Be driven to transit');
  t.is(travelOption('CABLE_CAR'), 'Cable car only');
});
