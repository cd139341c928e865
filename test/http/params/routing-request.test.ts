import test from 'ava';
import { Query } from '../../../src/http/params/query.js';
import type { RouterDefaults } from '../../../src/http/params/router-defaults.js';
import { routingRequest } from '../../../src/http/params/routing-request.js';
import type { PlanRequest } from '../../../src/native/types.js';
import { clocksOf, UTC } from '../../support/clocks.js';

function read(query: string, defaults: RouterDefaults = {}): PlanRequest {
  return routingRequest(new Query(query), { clocks: UTC, nowMs: 0, defaults });
}

const READ: Array<[query: string, expected: Partial<PlanRequest>]> = [
  ['', { numItineraries: undefined, optimize: undefined, modes: undefined, epochSeconds: 0, bikeSpeed: undefined }],
  ['fromPlace=1,2&toPlace=2:S', { from: { name: '', lat: 1, lon: 2, label: '' }, to: { name: '', label: '2:S' } }],
  ['showIntermediateStops=true', { showIntermediateStops: true }],
  ['numItineraries=5', { numItineraries: 5 }],
  ['numItineraries=-1', { numItineraries: -1 }],
  ['numItineraries=', { numItineraries: undefined }],
  ['numItineraries=2&numItineraries=9', { numItineraries: 2 }],
  ['arriveBy=TRUE', { arriveBy: true }],
  ['arriveBy=maybe', { arriveBy: false }],
  ['arriveBy=1', { arriveBy: false }],
  ['maxWalkDistance=804.672', { maxWalkDistance: 804.672, maxTransferWalkDistance: 804.672 }],
  ['maxWalkDistance=0', { maxWalkDistance: undefined, maxTransferWalkDistance: 0 }],
  ['maxWalkDistance=-5', { maxWalkDistance: undefined, maxTransferWalkDistance: -5 }],
  ['maxWalkDistance=1e3', { maxWalkDistance: 1000 }],
  ['maxWalkDistance=1e%2B05', { maxWalkDistance: 100_000 }],
  ['maxWalkDistance=1e+05', { maxWalkDistance: 100_000 }],
  ['walkReluctance=0', { walkReluctance: undefined }],
  ['walkReluctance=.5', { walkReluctance: 0.5 }],
  ['waitReluctance=-1', { waitReluctance: undefined }],
  ['waitAtBeginningFactor=0.9', { waitAtBeginningFactor: 0.9 }],
  ['maxPreTransitTime=0', { maxPreTransitTime: undefined }],
  ['maxPreTransitTime=300', { maxPreTransitTime: 300 }],
  ['walkSpeed=-1', { walkSpeed: -1 }],
  ['walkBoardCost=-20', { walkBoardCost: 0 }],
  ['bikeBoardCost=-20', { bikeBoardCost: 0 }],
  ['otherThanPreferredRoutesPenalty=-1', { otherThanPreferredRoutesPenalty: 0 }],
  ['minTransferTime=120&boardSlack=60&alightSlack=60', { transferSlack: 120, boardSlack: 60, alightSlack: 60 }],
  ['mode=BICYCLE_RENT', { bikeRental: true, bikeSpeed: 4.3 }],
  ['mode=BICYCLE_RENT&bikeSpeed=6', { bikeRental: true, bikeSpeed: 6 }],
  ['mode=BICYCLE&bikeSpeed=8', { bikeSpeed: 8 }],
  ['mode=', { modes: undefined }],
  ['optimize=TRANSFERS&transferPenalty=200', { optimize: 'TRANSFERS', transferPenalty: 200 }],
  ['optimize=SAFE&triangleTimeFactor=7', { optimize: 'SAFE', triangleTime: undefined }],
  [
    'optimize=TRIANGLE&triangleSafetyFactor=0.1&triangleSlopeFactor=0.2&triangleTimeFactor=0.7',
    { optimize: 'TRIANGLE', triangleSafety: 0.1, triangleSlope: 0.2, triangleTime: 0.7 },
  ],
  [
    'optimize=TRIANGLE&triangleSafetyFactor=1&triangleSlopeFactor=0&triangleTimeFactor=0',
    { triangleSafety: 1, triangleSlope: 0, triangleTime: 0 },
  ],
  ['startTransitStopId=2_52_57', { startTransitStop: '2:52_57' }],
  ['startTransitTripId=2_T1%401', { startTransitTrip: '2:T1@1' }],
  ['startTransitTripId=2_T1&arriveBy=true', { startTransitTrip: undefined }],
  ['locale=pt_BR', { locale: 'pt' }],
  ['locale=PT_br_x', { locale: 'pt' }],
  ['locale=de', { locale: 'de' }],
  ['locale=fr-FR', { locale: 'fr' }],
  ['locale=zh-Hant-TW', { locale: 'zh' }],
  ['locale=a_b_c_d', { locale: 'en' }],
  ['locale=../../etc', { locale: 'en' }],
  ['pathComparator=duration', { sortByDuration: true }],
  ['pathComparator=x', { sortByDuration: false }],
  ['maxHours=1.5&useRequestedDateTimeInMaxHours=true', { maxDuration: 5400, maxDurationFromRequestedTime: true }],
  ['disableAlertFiltering=true&ignoreRealtimeUpdates=true', { disableAlertFiltering: true, ignoreRealtime: true }],
  ['bannedAgencies=EPTC,,TT', { bannedAgencies: ['EPTC', 'TT'] }],
  ['bannedStops=2:2722, 1:a:b,%20', { bannedStops: ['2:2722', '1:a:b'] }],
  ['bannedStops=2:2722,1:a:b', { bannedStops: ['2:2722', '1:a:b'] }],
  [
    'bannedTrips=2:T1,2:T2:0:5,alone',
    {
      bannedTrips: [
        { trip: '2:T1', stopPositions: [] },
        { trip: '2:T2', stopPositions: [0, 5] },
      ],
    },
  ],
  // Ids of trips may contain colons, and numbers after them.
  [
    'bannedTrips=2:a:b,2:T_05:06:00,2:T_15:16:17,2:a::9,2:7',
    {
      bannedTrips: [
        { trip: '2:a:b', stopPositions: [] },
        { trip: '2:T_05:06:00', stopPositions: [] },
        { trip: '2:T_15', stopPositions: [16, 17] },
        { trip: '2:a:', stopPositions: [9] },
        { trip: '2:7', stopPositions: [] },
      ],
    },
  ],
  [
    'bannedRoutes=2__T1,2_Linha,_T2,,3__a_b',
    {
      bannedRoutes: [
        { feed: '2', name: '', routeId: 'T1' },
        { feed: '2', name: 'Linha', routeId: '' },
        { feed: '', name: 'T2', routeId: '' },
        { feed: '3', name: '', routeId: 'a_b' },
      ],
    },
  ],
  ['preferredRoutes=2_A%5C_B', { preferredRoutes: [{ feed: '2', name: 'A B', routeId: '' }] }],
  [
    'whiteListedRoutes=_1&whiteListedAgencies=X',
    { whitelistedAgencies: ['X'], whitelistedRoutes: [{ feed: '', name: '1', routeId: '' }] },
  ],
  ['preferredAgencies=A&unpreferredAgencies=B,C', { preferredAgencies: ['A'], unpreferredAgencies: ['B', 'C'] }],
  ['foo=bar&maxTime=9&carSpeed=1', { carSpeed: undefined }],
];

for (const [query, expected] of READ) {
  test(`?${query}`, (t) => {
    const request = read(query);
    for (const [member, value] of Object.entries(expected)) {
      t.deepEqual(request[member as keyof PlanRequest], value, member);
    }
  });
}

test('intermediate places keep their order', (t) => {
  const { intermediatePlaces } = read('intermediatePlaces=a::1,2&intermediatePlaces=x&intermediatePlaces=');
  t.deepEqual(intermediatePlaces, [
    { name: 'a', lat: 1, lon: 2, label: '' },
    { name: '', label: 'x' },
  ]);
});

test('router defaults apply where the query has no value', (t) => {
  const defaults: RouterDefaults = { numItineraries: 7, optimize: 'TRANSFERS', transferPenalty: 100, wheelchair: true };
  t.like(read('', defaults), { numItineraries: 7, optimize: 'TRANSFERS', transferPenalty: 100, wheelchair: true });
  t.like(read('numItineraries=1&wheelchair=false&optimize=FLAT', defaults), {
    numItineraries: 1,
    optimize: 'FLAT',
    transferPenalty: 100,
    wheelchair: false,
  });
  const others: RouterDefaults = { sortByDuration: true, maxTransferWalkDistance: 5, startTransitTrip: '1:t' };
  t.like(read('', others), others);
});

const INTEGERS = [
  'numItineraries',
  'maxPreTransitTime',
  'bikeSwitchTime',
  'bikeSwitchCost',
  'minTransferTime',
  'boardSlack',
  'alightSlack',
  'otherThanPreferredRoutesPenalty',
  'walkBoardCost',
  'bikeBoardCost',
  'transferPenalty',
  'nonpreferredTransferPenalty',
  'maxTransfers',
  'clampInitialWait',
];
const DECIMALS = [
  'maxWalkDistance',
  'walkReluctance',
  'waitReluctance',
  'waitAtBeginningFactor',
  'walkSpeed',
  'bikeSpeed',
  'maxHours',
  'triangleSafetyFactor',
  'triangleSlopeFactor',
  'triangleTimeFactor',
];
const NO_NUMBERS = ['abc', 'NaN', 'Infinity', '1,5', '0x10', '1 2', '--1', '١', '9'.repeat(400), 'x'.repeat(100_000)];

for (const parameter of [...INTEGERS, ...DECIMALS]) {
  test(`${parameter} must be a number`, (t) => {
    for (const text of NO_NUMBERS) {
      const error = t.throws(() => read(`${parameter}=${encodeURIComponent(text)}`), undefined, text.slice(0, 20));
      t.regex(String(error?.message), new RegExp(`^${parameter}: .{0,200}\n$`, 's'));
      t.like(error, { status: 400, planError: 'BOGUS_PARAMETER' });
    }
  });
}

for (const parameter of INTEGERS) {
  test(`${parameter} must be a 32-bit integer`, (t) => {
    for (const text of ['1.5', '1e-3', '2147483648', '-99999999999']) t.throws(() => read(`${parameter}=${text}`));
  });
}

const REFUSED: Array<[query: string, parameter: string, planError: string]> = [
  ['optimize=FASTEST', 'optimize', 'BOGUS_PARAMETER'],
  ['optimize=quick', 'optimize', 'BOGUS_PARAMETER'],
  ['optimize=TRIANGLE', 'optimize', 'UNDERSPECIFIED_TRIANGLE'],
  ['optimize=TRIANGLE&triangleSafetyFactor=1', 'optimize', 'UNDERSPECIFIED_TRIANGLE'],
  [
    'optimize=TRIANGLE&triangleSafetyFactor=0.5&triangleSlopeFactor=0.6&triangleTimeFactor=0.4',
    'optimize',
    'TRIANGLE_NOT_AFFINE',
  ],
  [
    'optimize=TRIANGLE&triangleSafetyFactor=2&triangleSlopeFactor=-1&triangleTimeFactor=0',
    'optimize',
    'TRIANGLE_NOT_AFFINE',
  ],
  ['minTransferTime=0&boardSlack=60&alightSlack=60', 'minTransferTime', 'BOGUS_PARAMETER'],
  ['boardSlack=1', 'minTransferTime', 'BOGUS_PARAMETER'],
  ['bannedRoutes=T1', 'bannedRoutes', 'BOGUS_PARAMETER'],
  ['bannedRoutes=2_T1_1', 'bannedRoutes', 'BOGUS_PARAMETER'],
  ['preferredRoutes=__', 'preferredRoutes', 'BOGUS_PARAMETER'],
  ['unpreferredRoutes=2_', 'unpreferredRoutes', 'BOGUS_PARAMETER'],
  ['bannedStops=2722', 'bannedStops', 'BOGUS_PARAMETER'],
  ['bannedStopsHard=2:1,2722', 'bannedStopsHard', 'BOGUS_PARAMETER'],
  ['startTransitStopId=nope', 'startTransitStopId', 'BOGUS_PARAMETER'],
  ['startTransitTripId=nope', 'startTransitTripId', 'BOGUS_PARAMETER'],
  [`bannedAgencies=${'a,'.repeat(20_000)}`, 'bannedAgencies', 'BOGUS_PARAMETER'],
  ['mode=TELEPORT', 'mode', 'BOGUS_PARAMETER'],
  ['date=2019-02-30', 'date', 'BOGUS_PARAMETER'],
  ['time=8am', 'time', 'BOGUS_PARAMETER'],
];

for (const [query, parameter, planError] of REFUSED) {
  test(`?${query.slice(0, 60)} is ${planError}`, (t) => {
    t.throws(() => read(query), undefined);
    t.like(
      t.throws(() => read(query)),
      { parameter, planError },
    );
  });
}

test('a latest arrival that clocks show twice is the first one, also by the defaults of the router', (t) => {
  const clocks = clocksOf('Europe/Lisbon');
  const at = (query: string, defaults: RouterDefaults = {}) =>
    routingRequest(new Query(`date=2024-10-27&time=1:49am${query}`), { clocks, nowMs: 0, defaults }).epochSeconds;
  const first = Date.UTC(2024, 9, 27, 0, 49) / 1000;
  t.is(at('&arriveBy=true'), first);
  t.is(at('', { arriveBy: true }), first);
  t.is(at('&arriveBy=false', { arriveBy: true }), first + 3600);
  t.is(at(''), first + 3600);
});
