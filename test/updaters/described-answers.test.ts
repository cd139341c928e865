/** Answers with live data are as the description of the interface says. */

import test from 'ava';
import { answerCheck } from '../support/described-answers.js';
import { routeAlert, tripUpdates, vehiclePosition } from '../support/realtime-feed.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { polledUpdater, polledUpdaters, startSource } from '../support/source-server.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

test('stations, vehicles, delays, alerts and states of updaters are described', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = town.graph.info();
  const at = (share: number) => south + (north - south) * share;
  const source = await startSource(t, {
    '/bikes': JSON.stringify([{ id: 'a', name: 'A', lat: at(0.5) * 1e6, lng: lon * 1e6, bikes: 3, free: 1 }]),
    '/vehicles': Buffer.from(vehiclePosition('v1', 'any', [at(0.5), lon])),
  });
  const updaters = [
    ...polledUpdaters(source),
    polledUpdater(source, 'real-time-alerts', '/alerts'),
    polledUpdater(source, 'bike-rental', '/nothing', { sourceType: 'city-bikes' }),
  ];
  const app = await startApp(t, [{ id: 'r', graph: town.graph, config: { updaters } }]);
  t.teardown(() => app.deps.registry.evictAll());
  const check = await answerCheck();
  /** The answer to a target, after it was compared with the description. */
  const described = async (target: string): Promise<any> => {
    const response = await app.get(target);
    const text = await response.text();
    const mediaType = response.headers.get('Content-Type') ?? '';
    t.deepEqual(check({ method: 'GET', target, status: response.status, mediaType, text }), [], target);
    return JSON.parse(text);
  };
  const states = async () => (await app.json('/routers/r/updaters/status')).updaters;

  const trip = `fromPlace=${at(0.2)},${lon}&toPlace=${at(0.8)},${lon}&date=2026-11-23&time=8:00am&maxWalkDistance=1200`;
  const plan = `/routers/r/plan?${trip}&numItineraries=1&showIntermediateStops=true&disableAlertFiltering=true`;
  const ride = async () =>
    (await described(plan)).plan.itineraries[0].legs.find(({ transitLeg }: { transitLeg: boolean }) => transitLeg);
  const { tripId, routeId, serviceDate, from } = await ride();
  const withoutFeed = (id: string) => id.slice(id.indexOf(':') + 1);
  const delays = { [from.stopSequence]: 20 };
  source.answers['/delays'] = tripUpdates([{ trip: withoutFeed(tripId), date: serviceDate, delays }]);
  source.answers['/alerts'] = routeAlert(withoutFeed(routeId), 'Works', { start: 1_700_000_000, end: 1_900_000_000 });
  const told = ({ lastSuccess, lastError }: any, i: number) => (i < 4 ? lastSuccess : lastError) !== undefined;
  await until(async () => (await states()).every(told));

  t.is((await described('/routers/r/bike_rental')).stations.length, 1);
  t.is((await described('/routers/r/vehicles')).vehicles[0].bearing, 90);
  t.deepEqual(Object.keys(await described('/routers/r/updaters')), ['0', '1', '2', '3', '4']);
  t.is(typeof (await described('/routers/r/updaters/0')), 'string');
  const shown = (await described('/routers/r/updaters/status')).updaters;
  t.truthy(shown[4].lastError);
  t.is((await described('/routers/r/alerts')).alertPatches.length, 1);
  const leg = await ride();
  t.like(leg, { tripId, realTime: true, departureDelay: 20, alerts: [{ alertHeaderText: 'Works' }] });
  const [calls] = await described(`/routers/r/index/stops/${from.stopId}/stoptimes/${serviceDate}`);
  t.truthy(calls);
  t.true((await described('/routers/r')).hasBikeSharing);
  await described(`${plan}&mode=BICYCLE_RENT,WALK`);
});
