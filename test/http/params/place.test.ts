import test from 'ava';
import { parseLocation, parsePlace } from '../../../src/http/params/place.js';

for (const [text, name, lat, lon] of [
  ['-30.03,-51.23', '', -30.03, -51.23],
  ['-30.03 , -51.23', '', -30.03, -51.23],
  ['45 -122.5', '', 45, -122.5],
  ['Mercado::-30.03,-51.23', 'Mercado', -30.03, -51.23],
  ['(-30.03,-51.23)', '', -30.03, -51.23],
  ['-30.03,-51.23 heading=90', '', -30.03, -51.23],
  ['-3.0027565e1,-51.227811', '', 1, -51.227811],
  ['51.48,5e-05', '', 51.48, 0.00005],
  ['-1.25E-5, 36.8', '', -0.0000125, 36.8],
  ['0,-5e-324', '', 0, -5e-324],
  ['95,-200', '', 95, -200],
] as const) {
  test(`${text} is a coordinate`, (t) => t.deepEqual(parsePlace(text), { name, lat, lon, label: '' }));
}

for (const [text, name, label] of [
  [undefined, '', ''],
  ['2:5257', '', '2:5257'],
  ['Home::osm:node:12', 'Home', 'osm:node:12'],
  ['A::B::C', 'A', 'B::C'],
  ['Nowhere Street 1', '', 'Nowhere Street 1'],
  ['NaN,NaN', '', 'NaN,NaN'],
  ['bike rental station Utrecht5.11,52.09,0', '', 'bike rental station Utrecht5.11,52.09,0'],
  ['Bike::bike rental station 12 34', 'Bike', 'bike rental station 12 34'],
  ['1'.repeat(100_000), '', '1'.repeat(100_000)],
] as const) {
  test(`${text?.slice(0, 40)} is a label`, (t) => t.deepEqual(parsePlace(text), { name, label }));
}

test('a location is two numbers', (t) => {
  t.deepEqual(parseLocation(' -30.03, 5e1 ', 'lowerLeft'), [-30.03, 50]);
  for (const text of ['', '1', '1,', ',1', '1, ', '1,2,3', 'a,1', '1,Infinity', '-Infinity,1']) {
    t.throws(() => parseLocation(text, 'lowerLeft'), { message: /^lowerLeft: .* is not lat,lon\n$/ }, text);
  }
});
