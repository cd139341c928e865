/** Stops and lines that are one for a rider. */

import test from 'ava';
import { groupedLines, groupedStops } from '../../src/client/explore/groups.js';
import type { LineShort } from '../../src/client/explore/index-answers.js';

test('stops of one name that are close together are one, in capitals or not', (t) => {
  const [lat, lon] = [48, 16];
  const stop = (name: string, north = 0, east = 0) => ({ name, lat: lat + north / 111_195, lon: lon + east / 74_400 });
  const stops = [
    stop('Market'),
    stop('Quay'),
    stop('MARKET', 250, 250),
    stop('Market', 500, 450),
    stop('Market', 1500),
    stop('Market Square'),
  ];
  const groups = groupedStops(stops).map((group) => group.map((one) => stops.indexOf(one)));
  t.deepEqual(groups, [[0, 2, 3], [1], [4], [5]], 'each is near one of its group');
});

test('lines of one agency with one number are one, and those of others or without a number are not', (t) => {
  const line = (id: string, more: Partial<LineShort> = {}): LineShort => ({
    gtfsId: `1:${id}`,
    shortName: '7',
    longName: `Line ${id}`,
    mode: 'BUS',
    color: 'FF0000',
    textColor: null,
    agency: { gtfsId: '1:A' },
    ...more,
  });
  const lines = [
    line('a'),
    line('b', { agency: { gtfsId: '1:B' } }),
    line('c'),
    line('d', { mode: 'TRAM' }),
    line('e', { color: '0000FF' }),
    line('f', { shortName: null }),
    line('g', { shortName: null }),
    line('h', { shortName: '8' }),
  ];
  const groups = groupedLines(lines).map((group) => group.map(({ gtfsId }) => gtfsId.slice(2)).join(''));
  t.deepEqual(groups, ['ac', 'b', 'd', 'e', 'f', 'g', 'h']);
});
