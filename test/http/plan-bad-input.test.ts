/**
 * For anything that a client sends to `plan`: status 200 with a plan or an error that names the parameter, and the next
 * request is answered.
 */

import test from 'ava';
import { PLAN } from '../../src/http/params/descriptions.js';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startApp, type TestApp } from '../support/test-app.js';

const town = builtBefore(test, buildSampleTown);

const serve = (t: Parameters<typeof startApp>[0]): Promise<TestApp> =>
  startApp(t, [{ id: 'default', graph: sharedGraph(town.graph) }]);

/** A trip through the town on a working day. Parameters in front override the usual ones. */
function trip(extra: string): string {
  const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = town.graph.info();
  const at = (share: number) => `${(south + (north - south) * share).toFixed(6)},${lon}`;
  return `/routers/default/plan?${extra}&fromPlace=${at(0.2)}&toPlace=${at(0.8)}&date=2026-11-23&time=8:00am`;
}

const VALUES = ['', 'abc', '-1', '0', '1e300', '99999999999999999999', '-2147483648', '2147483647', '1,,;%00', 'é'];
const LONG = 'x,1:'.repeat(1000);

for (const { name } of Object.values(PLAN)) {
  test(`${name} of any value`, async (t) => {
    const app = await serve(t);
    const { plan: usual } = await app.json(trip(''));
    const queries = [...VALUES, LONG].map((value) => `${name}=${encodeURIComponent(value)}`);
    queries.push(`${name}=abc&${name}=def`, name);
    for (const query of queries) {
      const response = await app.get(trip(query));
      t.is(response.status, 200, query);
      const { plan, error } = (await response.json()) as {
        plan?: { itineraries: unknown[] };
        error?: { reason: string };
      };
      t.true((plan === undefined) !== (error === undefined), query);
      if (error) t.regex(error.reason, /\S/, query);
      else t.true((plan?.itineraries.length ?? 0) > 0, query);
    }
    const { plan: again } = await app.json(trip(''));
    t.deepEqual(again, usual, 'the next request is served as before');
  });
}

const NAMED: ReadonlyArray<[query: string, message: string, reason: RegExp]> = [
  ['numItineraries=many', 'BOGUS_PARAMETER', /numItineraries: "many" is not a whole number/],
  ['walkSpeed=fast', 'BOGUS_PARAMETER', /walkSpeed: "fast" is not a number/],
  ['walkSpeed=1e9', 'BOGUS_PARAMETER', /walkSpeed: is 1000000000/],
  ['walkSpeed=-1', 'PATH_NOT_FOUND', /walkSpeed/],
  ['walkReluctance=1e12', 'BOGUS_PARAMETER', /walkReluctance: is/],
  ['bikeSwitchTime=-5', 'BOGUS_PARAMETER', /bikeSwitchTime: is -5/],
  ['boardSlack=2147483647&minTransferTime=2147483647', 'BOGUS_PARAMETER', /minTransferTime: is/],
  ['boardSlack=60', 'BOGUS_PARAMETER', /minTransferTime: must be at least the sum of boardSlack and alightSlack/],
  ['mode=FLYING', 'BOGUS_PARAMETER', /mode: "FLYING" is not a mode: modes are WALK, BICYCLE, CAR, TRANSIT, TRAM, /],
  ['optimize=BEST', 'BOGUS_PARAMETER', /optimize: "BEST" is not one of/],
  ['optimize=TRIANGLE', 'UNDERSPECIFIED_TRIANGLE', /optimize/],
  ['date=2019-02-30', 'BOGUS_PARAMETER', /date: "2019-02-30" is not a date such as 2026-11-23/],
  ['date=&time=8am', 'BOGUS_PARAMETER', /time: "8am"/],
  ['bannedRoutes=a', 'BOGUS_PARAMETER', /bannedRoutes: "a"/],
  ['bannedStops=a', 'BOGUS_PARAMETER', /bannedStops: "a"/],
  ['bannedStopsHard=a', 'BOGUS_PARAMETER', /bannedStopsHard: "a"/],
  ['startTransitStopId=x', 'BOGUS_PARAMETER', /startTransitStopId: "x"/],
  ['startTransitTripId=1_x', 'BOGUS_PARAMETER', /startTransitTripId: unknown trip 1:x/],
  ['fromPlace=nowhere', 'OUTSIDE_BOUNDS', /not on the map/],
  ['toPlace=0,0', 'OUTSIDE_BOUNDS', /not on the map/],
];
for (const [query, message, reason] of NAMED) {
  test(`${query} is ${message} and says so`, async (t) => {
    const { error } = await (await serve(t)).json(trip(query));
    t.is(error?.message, message);
    t.regex(error.reason, reason);
  });
}
