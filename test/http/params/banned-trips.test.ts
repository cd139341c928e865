/** Which part of `feed:trip:position:position…` is the id of a trip. */

import test from 'ava';
import { EMPTY_ROUTER_CONFIG } from '../../../src/config/router-config.js';
import { parseBannedTrips, withWholeIds } from '../../../src/http/params/banned-trips.js';
import { Query } from '../../../src/http/params/query.js';
import { requestNow } from '../../../src/http/params/routing-request.js';
import { UTC } from '../../support/clocks.js';

const TRIPS = ['1:T_5:10:12', '1:T_6', '1:T_6:2', '1:a:1:2:3:4:5:6:7:8'];

const GRAPH = { findSync: (_: unknown, ids: string[]) => Int32Array.from(ids, (id) => TRIPS.indexOf(id)) };

for (const [text, trip, stopPositions] of [
  ['1:T_5:10:12', '1:T_5:10:12', []],
  ['1:T_5:10:12:1:0', '1:T_5:10:12', [1, 0]],
  ['1:T_6', '1:T_6', []],
  ['1:a:1:2:3:4:5:6:7:8:9', '1:a:1:2:3:4:5:6:7:8', [9]],
  // Where ids end differently, the shortest counts.
  ['1:T_6:2', '1:T_6', [2]],
  ['1:T_6:2:3', '1:T_6', [2, 3]],
  // No such trip.
  ['1:T_5:10', '1:T_5', [10]],
  ['1:none', '1:none', []],
  [`1:none${':0'.repeat(1000)}`, '1:none', new Array(1000).fill(0)],
] as const) {
  test(`${text.slice(0, 40)} bans ${trip}`, (t) => {
    const others = parseBannedTrips('1:T_6,1:nobody', 'bannedTrips');
    const read = withWholeIds([...others, ...parseBannedTrips(text, 'bannedTrips')], GRAPH);
    t.deepEqual(read.slice(0, 2), others);
    t.deepEqual(read.slice(2), [{ trip, stopPositions: [...stopPositions] }]);
  });
}

test('the ids of a request are those of its graph', (t) => {
  const query = new Query('bannedTrips=1:T_5:10:12,1:T_6:0');
  const { bannedTrips } = requestNow(query, { ...UTC, ...GRAPH }, EMPTY_ROUTER_CONFIG);
  t.deepEqual(bannedTrips, [
    { trip: '1:T_5:10:12', stopPositions: [] },
    { trip: '1:T_6', stopPositions: [0] },
  ]);
});
