import { readFileSync } from 'node:fs';
import test from 'ava';
import { EMPTY_ROUTER_CONFIG, type RouterConfig } from '../../../src/config/router-config.js';
import { ROUTING_DEFAULT_KEYS } from '../../../src/config/routing-default-keys.js';
import { routerDefaults } from '../../../src/http/params/router-defaults.js';

/** Members of the engine's request, as the addon declares them. */
const declared = readFileSync(new URL('../../../../index.d.ts', import.meta.url), 'utf8');
const request = /export interface SearchRequest \{(.*?)^\}/ms.exec(declared)?.[1] ?? '';
const members = new Set([...request.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name));

/** A value that every kind of key accepts in some way. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  modes: 'TRANSIT,WALK',
  optimize: 'SAFE',
  bannedStops: '1:a',
  bannedStopsHard: '1:a',
  bannedTrips: '1:t',
  startTransitStopId: '1_a',
  startTransitTripId: '1_t',
  preferredRoutes: '_1',
  unpreferredRoutes: '_1',
  bannedRoutes: '_1',
  whiteListedRoutes: '_1',
};

test('every key of the configuration that is used reaches the request', (t) => {
  t.true(members.size > 60);
  for (const [key, { kind }] of Object.entries(ROUTING_DEFAULT_KEYS)) {
    if (kind === 'unused') continue;
    const routingDefaults = { [key]: (SAMPLES[key] ?? 7) as never };
    const { timeouts, boardTimes, alightTimes, ...found } = routerDefaults({
      ...EMPTY_ROUTER_CONFIG,
      routingDefaults,
    });
    for (const member of Object.keys(found)) t.true(members.has(member), `${key} becomes ${member}`);
    t.true(Object.keys(found).length > 0, key);
  }
});

test('values that a query writes differently reach the request like those of a query', (t) => {
  const read = (routingDefaults: RouterConfig['routingDefaults']) =>
    routerDefaults({ ...EMPTY_ROUTER_CONFIG, routingDefaults });
  t.like(read({ maxHours: 1.5, modes: 'BICYCLE_RENT', pathComparator: 'duration', startTransitStopId: '1_a_b' }), {
    maxDuration: 5400,
    modes: ['BICYCLE', 'WALK'],
    bikeRental: true,
    sortByDuration: true,
    startTransitStop: '1:a_b',
  });
  const walk = { modes: ['TRAM', 'WALK'] };
  t.like(read({ modes: 'TRAM,WALK,,' }), walk);
  t.like(read({ modes: ['TRAM,', 'WALK'] }), walk);
  t.is(read({ pathComparator: 'other' }).sortByDuration, false);
  t.like(read({ bannedAgencies: ['A', 'B'], bannedRoutes: '1__r', bannedStops: '1:s', bannedTrips: '1:t:3' }), {
    bannedAgencies: ['A', 'B'],
    bannedRoutes: [{ feed: '1', name: '', routeId: 'r' }],
    bannedStops: ['1:s'],
    bannedTrips: [{ trip: '1:t', stopPositions: [3] }],
  });
});

test('limits of time and boarding are part of every request', (t) => {
  const config = { ...EMPTY_ROUTER_CONFIG, timeouts: [5, 1.5], boardTimes: { BUS: 30 }, alightTimes: { RAIL: 9 } };
  t.like(routerDefaults(config), { timeouts: [5, 1.5], boardTimes: { BUS: 30 }, alightTimes: { RAIL: 9 } });
});
