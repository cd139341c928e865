/** Alerts in the legs of plans, by language and period; from clients and from feeds. */

import test, { type ExecutionContext } from 'ava';
import { routeAlert } from '../support/realtime-feed.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startSource } from '../support/source-server.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

/** A ride of the sample town: its plan, its route and its departure, epoch seconds. */
interface Ride {
  readonly query: string;
  readonly route: string;
  readonly leaves: number;
}

async function serve(t: ExecutionContext, updaters: object[] = []) {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const config = { updaters: updaters as never };
  const app = await startApp(t, [{ id: 'r', graph: town.graph, config }], { flags: { insecure: true } });
  t.teardown(() => app.deps.registry.evictAll());
  const rideOf = async (extra = ''): Promise<any> => {
    const { plan } = await app.json(`/routers/r/plan?${(await ride()).query}${extra}`);
    return plan.itineraries.flatMap((i: any) => i.legs).find((leg: any) => leg.transitLeg);
  };
  let known: Promise<Ride> | undefined;
  const ride = () => {
    known ??= findRide(app, town.graph.info());
    return known;
  };
  const send = async (patch: object) => {
    const body = JSON.stringify({ alertPatches: [patch] });
    const headers = { 'Content-Type': 'application/json' };
    return (await app.request('/patch/patch', { method: 'POST', body, headers })).json();
  };
  return { app, ride, rideOf, send, graph: town.graph };
}

/** The first plan between two stops that has a ride. */
async function findRide(app: Awaited<ReturnType<typeof startApp>>, info: any): Promise<Ride> {
  const stops: any[] = await app.json('/routers/r/index/stops');
  const day = new Date(info.transitServiceStarts * 1000 + 36 * 3_600_000).toISOString().slice(0, 10);
  for (const to of stops.slice(1)) {
    const from = stops[0];
    const query = `fromPlace=${from.lat},${from.lon}&toPlace=${to.lat},${to.lon}&date=${day}&time=10:00`;
    const { plan } = await app.json(`/routers/r/plan?${query}`);
    const leg = plan?.itineraries?.flatMap((i: any) => i.legs).find((found: any) => found.transitLeg);
    if (leg !== undefined) return { query, route: leg.routeId, leaves: leg.startTime / 1000 };
  }
  throw new Error('the sample town has no ride');
}

const texts = { translations: { en: 'Detour', pt: 'Desvio' } };

test('an alert shows on the rides of its route, in the requested language, within its periods', async (t) => {
  const { ride, rideOf, send } = await serve(t);
  const { route, leaves } = await ride();
  t.is((await rideOf()).alerts, undefined);
  const patch = (periods: object[]) => ({ id: 'a', route, alert: { alertHeaderText: texts }, timePeriods: periods });
  await send(patch([{ startTime: leaves - 60, endTime: leaves + 3600 }]));
  t.like((await rideOf()).alerts[0], { alertHeaderText: 'Detour', effectiveStartDate: (leaves - 60) * 1000 });
  t.is((await rideOf('&locale=pt')).alerts[0].alertHeaderText, 'Desvio');
  t.is((await rideOf('&locale=pt_BR')).alerts[0].alertHeaderText, 'Desvio');

  await send(patch([{ startTime: leaves - 7200, endTime: leaves - 3600 }]));
  t.is((await rideOf()).alerts, undefined);
  await send(patch([]));
  t.is((await rideOf()).alerts, undefined);
});

test('alerts of a feed show on rides until the feed no longer has them', async (t) => {
  const source = await startSource(t);
  const updater = { type: 'real-time-alerts', url: `${source.url}/alerts`, feedId: 'city', frequencySec: 0.05 };
  const { app, ride, rideOf } = await serve(t, [updater]);
  const { route } = await ride();
  source.answers['/alerts'] = routeAlert(route.split(':')[1] ?? '', 'Works');
  await until(async () => (await app.json('/routers/r/updaters/status')).updaters[0].counts.alerts === 1);
  t.is((await rideOf()).alerts[0].alertHeaderText, 'Works');
  source.answers['/alerts'] = routeAlert('another', 'Works');
  await until(async () => (await rideOf()).alerts === undefined);
  t.is((await rideOf()).alerts, undefined);
});

test('an alert about one trip of a route, by its start, is not shown on the others', async (t) => {
  const { app, ride, rideOf, graph } = await serve(t);
  await ride();
  const bus = () => rideOf('&mode=BUS,WALK');
  const { routeId: route, tripId } = await bus();
  const calls = await app.json(`/routers/r/index/trips/${tripId}/stoptimes`);
  const start = calls[0].scheduledDeparture;
  const shownAt = async (startTime: number) => {
    const header = [{ language: '', text: 'Full' }];
    const feedId = route.split(':')[0];
    const periods = [{ start: 0, end: 2 ** 40 }];
    const about = { feedId, route, directionId: -1, startTime };
    await graph.setAlerts([{ id: 'a', header, description: [], url: [], ...about, periods }]);
    return (await bus()).alerts !== undefined;
  };
  t.true(await shownAt(start));
  t.false(await shownAt(start + 60));
});
