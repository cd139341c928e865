/** Every parameter of `plan` changes an answer, or is listed as having no effect. */

import test from 'ava';
import { PLAN } from '../../src/http/params/descriptions.js';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startApp, type TestApp } from '../support/test-app.js';

const town = builtBefore(test, buildSampleTown);

const serve = (t: Parameters<typeof startApp>[0]): Promise<TestApp> =>
  startApp(t, [{ id: 'default', graph: sharedGraph(town.graph) }]);

/** South to north, and south-west to north-east: shares of the town's height and width. */
const STRAIGHT = [0.2, 0.5, 0.8, 0.5] as const;
const ACROSS = [0.15, 0.2, 0.85, 0.8] as const;
type Ends = readonly [number, number, number, number];

function place(north: number, east: number): string {
  const info = town.graph.info();
  const between = (low: number, high: number, share: number) => (low + (high - low) * share).toFixed(6);
  const lat = between(info.lowerLeftLatitude, info.upperRightLatitude, north);
  return `${lat},${between(info.lowerLeftLongitude, info.upperRightLongitude, east)}`;
}

/** A trip on a working day. Parameters in front override the usual ones. */
function trip(extra: string, [fromNorth, fromEast, toNorth, toEast]: Ends): string {
  const ends = `fromPlace=${place(fromNorth, fromEast)}&toPlace=${place(toNorth, toEast)}`;
  return `/routers/default/plan?${extra}&${ends}&date=2026-11-23&time=8:00am`;
}

/** A parameter's value, further parameters that it needs, and the trip on which it has an effect. */
type Effect = [name: string, value: string, others?: string, ends?: Ends];

const TRIANGLE = 'mode=BICYCLE&optimize=TRIANGLE';
const EFFECTS: readonly Effect[] = [
  ['fromPlace', 'osm:node:1'],
  ['toPlace', 'osm:node:1'],
  ['date', '2026-11-22'],
  ['time', '17:05'],
  ['arriveBy', 'true'],
  ['mode', 'WALK'],
  ['optimize', 'TRANSFERS', '', ACROSS],
  ['triangleSafetyFactor', '1', `${TRIANGLE}&triangleSlopeFactor=0&triangleTimeFactor=0`],
  ['triangleSlopeFactor', '1', `${TRIANGLE}&triangleSafetyFactor=0&triangleTimeFactor=0`],
  ['triangleTimeFactor', '1', `${TRIANGLE}&triangleSafetyFactor=0&triangleSlopeFactor=0`],
  ['wheelchair', 'true'],
  ['numItineraries', '1'],
  ['maxWalkDistance', '1'],
  ['maxPreTransitTime', '1', 'mode=CAR_PARK,TRANSIT'],
  ['walkReluctance', '0.3'],
  ['waitReluctance', '0.3', '', ACROSS],
  ['waitAtBeginningFactor', '3'],
  ['walkSpeed', '0.3'],
  ['bikeSpeed', '1.5', 'mode=BICYCLE'],
  ['bikeSwitchTime', '1000', 'mode=BICYCLE,TRANSIT', [0.5, 0.1, 0.5, 0.9]],
  ['bikeSwitchCost', '1000', 'mode=BICYCLE,TRANSIT', [0.5, 0.1, 0.5, 0.9]],
  ['minTransferTime', '600', '', ACROSS],
  ['boardSlack', '60', 'minTransferTime=60'],
  ['alightSlack', '60', 'minTransferTime=60'],
  ['preferredRoutes', 'city__T2'],
  ['unpreferredRoutes', 'city__T2', '', [0.8, 0.3, 0.3, 0.75]],
  ['otherThanPreferredRoutesPenalty', '9000', 'preferredRoutes=city__T2', ACROSS],
  ['bannedRoutes', 'city__T2'],
  ['whiteListedRoutes', 'city__T2'],
  ['preferredAgencies', 'SV', '', ACROSS],
  ['unpreferredAgencies', 'SV', '', ACROSS],
  ['bannedAgencies', 'SV'],
  ['whiteListedAgencies', 'SV', '', ACROSS],
  ['bannedTrips', 'city:T2.WEEKDAY.0.29280'],
  ['bannedStops', 'city:Tv3-0-55+'],
  ['bannedStopsHard', 'city:Tv3-0-55+'],
  ['walkBoardCost', '1000', '', ACROSS],
  ['bikeBoardCost', '0', 'mode=BICYCLE,TRANSIT'],
  ['transferPenalty', '60', '', ACROSS],
  ['nonpreferredTransferPenalty', '300', '', ACROSS],
  ['startTransitStopId', 'city_Tv3-0-55+'],
  ['startTransitTripId', 'city_T2.WEEKDAY.0.29280'],
  ['locale', 'de'],
  ['pathComparator', 'duration'],
  ['maxHours', '0.3'],
  ['useRequestedDateTimeInMaxHours', 'true', 'maxHours=0.5'],
  ['intermediatePlaces', 'osm:node:1'],
  ['showIntermediateStops', 'true'],
];

/** Why a parameter has no effect on a plan of a town without live data. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  maxTransfers: 'plan sets its own',
  clampInitialWait: 'one-to-many only',
  ignoreRealtimeUpdates: 'tells with live data: test/updaters',
  disableAlertFiltering: 'tells with alerts: test/updaters',
  geoidElevation: 'repeated in the answer only',
  scenario: 'tells with scenarios: their own tests',
};

test('every parameter is either tried here or listed as having no effect', (t) => {
  const known = [...EFFECTS.map(([name]) => name), ...Object.keys(WITHOUT_EFFECT)];
  t.deepEqual(
    known.toSorted(),
    Object.values(PLAN)
      .map(({ name }) => name)
      .toSorted(),
  );
});

for (const [name, value, others = '', ends = STRAIGHT] of EFFECTS) {
  test(`${name} has an effect`, async (t) => {
    const app = await serve(t);
    const answer = async (extra: string) => {
      const { plan, error } = await app.json(trip(extra, ends));
      return [plan?.itineraries, error?.message];
    };
    const changed = await answer(`${name}=${encodeURIComponent(value)}&${others}`);
    t.notDeepEqual(changed, await answer(others));
  });
}

test('the penalty of a transfer stays the largest number when more is added to it', async (t) => {
  const app = await serve(t);
  const itineraries = async (extra: string) => (await app.json(trip(extra, ACROSS))).plan?.itineraries;
  const largest = await itineraries('transferPenalty=2147483647');
  t.truthy(largest);
  t.deepEqual(await itineraries('transferPenalty=2147483647&optimize=TRANSFERS'), largest);
});
