/** Trip updates from a real server in plans under a scenario that changes trips. */

import path from 'node:path';
import test from 'ava';
import { sharedGraph } from '../support/built-graph.js';
import { tripUpdates } from '../support/realtime-feed.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startSource } from '../support/source-server.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

/** A working day on which the sample's schedule runs. */
const DAY = '20261123';
const DELAY = 20;

test('a trip that a scenario changed has the delay of the message, and one that it removed stays removed', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const source = await startSource(t);
  const updater = {
    ...{ type: 'stop-time-updater', sourceType: 'gtfs-http', feedId: 'city', frequencySec: 0.05 },
    ...{ purgeExpiredData: false, url: `${source.url}/rt` },
  };
  const file = path.join(await temporaryDirectory(t), 'Graph.obj');
  const router = { id: 'r', graph: sharedGraph(town.graph), file, config: { updaters: [updater] } };
  const app = await startApp(t, [router], { flags: { insecure: true } });
  t.teardown(() => app.deps.registry.evictAll());
  const put = async (id: string, modification: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ modifications: [modification] });
    t.is((await app.request(`/routers/r/scenarios/${id}`, { method: 'PUT', headers, body })).status, 201);
  };
  const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = town.graph.info();
  const at = (share: number) => `${(south + (north - south) * share).toFixed(6)},${lon}`;
  const ride = async (extra: string) => {
    const journey = `fromPlace=${at(0.2)}&toPlace=${at(0.8)}&date=2026-11-23&time=8:00am&maxWalkDistance=1200`;
    const { plan } = await app.json(`/routers/r/plan?${journey}&mode=TRANSIT,WALK&numItineraries=1${extra}`);
    return plan.itineraries[0].legs.find((leg: any) => leg.transitLeg);
  };
  const { tripId } = await ride('');
  await put('slower', { type: 'adjust-dwell-time', tripId, dwellTime: 45 });
  await put('less', { type: 'remove-trip', tripId });
  const planned = await ride('&scenario=slower');
  t.is(planned.tripId, tripId, 'the scenario has the trip');

  const [, trip = ''] = tripId.split(/:(.*)/s);
  source.answers['/rt'] = tripUpdates([{ trip, date: DAY, delays: { [planned.from.stopSequence]: DELAY } }]);
  const delayed = async (extra: string) => (await ride(extra)).departureDelay === DELAY;
  await until(() => delayed(''));
  const late = await ride('&scenario=slower');
  t.like(late, { tripId, realTime: true, departureDelay: DELAY });
  t.deepEqual(
    [late.startTime, late.endTime],
    [planned.startTime, planned.endTime].map((time) => time + DELAY * 1000),
    'the delay counts from the times of the scenario',
  );
  t.not((await ride('&scenario=less')).tripId, tripId);
  t.like(await ride('&scenario=slower&ignoreRealtimeUpdates=true'), { tripId, startTime: planned.startTime });

  source.answers['/rt'] = tripUpdates([{ trip, date: DAY, canceled: true }]);
  await until(async () => (await ride('')).tripId !== tripId);
  t.not((await ride('&scenario=slower')).tripId, tripId, 'a trip that is cancelled does not run in the scenario');
});
