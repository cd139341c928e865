/** Scenarios that are drawn on the map, as the server takes them. */

import test from 'ava';
import { type Change, modifications, namedStops, type ServedStop } from '../../src/client/analyse/scenario-draft.js';

const STATION = { stopId: 'f:S', name: 'Station', lat: 48, lon: 15 };
const STOP = { stopId: 'f:A', name: 'Stop', lat: 48.1, lon: 15 };
const PLACE = { name: '48.2, 15', lat: 48.2, lon: 15 };
const TO = { lat: 48.3, lon: 15.1 };

const SERVED = new Map<string, ServedStop[]>([
  [
    'f:S',
    [
      { id: 'f:S1', lines: ['f:U'] },
      { id: 'f:S2', lines: ['f:U', 'f:V'] },
    ],
  ],
  ['f:A', [{ id: 'f:A', lines: ['f:V'] }]],
]);

test('a station stands for its stops', (t) => {
  t.deepEqual(modifications([{ kind: 'close', stop: STATION }], SERVED), [
    { type: 'skip-stop', stopId: 'f:S', routeId: ['f:U', 'f:V'] },
  ]);
  t.deepEqual(modifications([{ kind: 'move', stop: STATION, to: TO }], SERVED), [
    { type: 'move-stop', stopId: 'f:S1', ...TO },
    { type: 'move-stop', stopId: 'f:S2', ...TO },
  ]);
});

test('a stop stands for itself, also if it is gone', (t) => {
  t.deepEqual(modifications([{ kind: 'close', stop: STOP }], SERVED), [
    { type: 'skip-stop', stopId: 'f:A', routeId: ['f:V'] },
  ]);
  t.deepEqual(modifications([{ kind: 'move', stop: STOP, to: TO }], new Map()), [
    { type: 'move-stop', stopId: 'f:A', ...TO },
  ]);
});

test('a new line calls at stops, at one stop of each station and at new stops', (t) => {
  const line: Change = { kind: 'line', name: 'X', stops: [STATION, STOP, PLACE], minutes: 10, kmPerHour: 36 };
  t.deepEqual(namedStops([line, { kind: 'close', stop: STOP }]), ['f:S', 'f:A']);
  const calls = modifications([line], SERVED).map((one) => (one as { stops: object[] }).stops);
  const there = [{ stopId: 'f:S1' }, { stopId: 'f:A' }, PLACE];
  t.deepEqual(calls, [there, there.toReversed()]);
});
