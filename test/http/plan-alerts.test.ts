/** Alerts sent to the server, in the legs of plans over a real town. */

import test, { type ExecutionContext } from 'ava';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { routeAlert, tripUpdates } from '../support/realtime-feed.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startApp } from '../support/test-app.js';

const town = builtBefore(test, buildSampleTown);

const DAY = Date.UTC(2026, 10, 23) / 1000;

async function setUp(t: ExecutionContext) {
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(town.graph) }], { flags: { insecure: true } });
  t.teardown(() => town.graph.setAlerts([]));
  const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = town.graph.info();
  const at = (share: number) => `${(south + (north - south) * share).toFixed(6)},${lon}`;
  const target = `/routers/r/plan?fromPlace=${at(0.2)}&toPlace=${at(0.8)}&date=2026-11-23&time=8:00am`;
  const query = `${target}&numItineraries=1&maxWalkDistance=1200`;
  const send = async (body: string, type = 'application/json') => {
    const answer = await app.request('/patch/patch', { method: 'POST', body, headers: { 'Content-Type': type } });
    t.like(await answer.json(), { status: 'OK' });
  };
  const alert = (members: object) =>
    send(
      JSON.stringify({
        alertPatches: [
          {
            id: 'p',
            alert: { alertHeaderText: { translations: { en: 'Detour', pt: 'Desvio' } }, alertUrl: 'http://a.example/' },
            timePeriods: [{ startTime: DAY - 86_400, endTime: DAY + 2 * 86_400 }],
            ...members,
          },
        ],
      }),
    );
  const ride = async (extra = '') => {
    const { plan } = (await app.json(query + extra)) as any;
    return plan.itineraries[0].legs.find((leg: any) => leg.transitLeg);
  };
  return { app, query, send, alert, ride };
}

test.serial('the alerts of a router are those that were sent and those of its feeds', async (t) => {
  const { app, alert } = await setUp(t);
  t.teardown(() => town.graph.applyAlerts(0, tripUpdates([]), 'city'));
  t.deepEqual(await app.json('/routers/r/alerts'), {});
  await alert({ stop: 'city:S' });
  t.is(await town.graph.applyAlerts(0, routeAlert('T1', 'Works', { start: DAY, end: DAY + 60 }), 'city'), 1);
  const { alertPatches } = await app.json('/routers/r/alerts?locale=pt');
  const shown = alertPatches.map(({ alert, stop, route }: any) => [alert.alertHeaderText, stop ?? route]);
  t.deepEqual(shown, [
    ['Desvio', 'city:S'],
    ['Works', 'city:T1'],
  ]);
  t.is(alertPatches[1].alert.effectiveEndDate, (DAY + 60) * 1000);
});

test.serial('an alert about one run has its start, where an id does not say which run it is', async (t) => {
  const { app } = await setUp(t);
  t.teardown(() => town.graph.setAlerts([]));
  const query = encodeURIComponent('{ trips { gtfsId semanticHash } }');
  const { data } = await app.json(`/routers/r/index/graphql?query=${query}`);
  const trips: string[] = data.trips.map(({ gtfsId }: any) => gtfsId);
  const about = {
    header: [],
    description: [],
    url: [],
    feedId: 'city',
    directionId: -1,
    periods: [],
    startTime: 28_800,
  };
  const byRoute = { ...about, id: 'route', route: 'city:T1' };
  await town.graph.setAlerts([byRoute, ...trips.map((trip) => ({ ...about, id: trip, trip }))]);
  const { alertPatches } = await app.json('/routers/r/alerts');
  const withStart = alertPatches.filter(({ startTime }: any) => startTime === 28_800).map(({ id }: any) => id);
  const byFrequency = trips.filter((_, i) => data.trips[i].semanticHash === null);
  t.true(byFrequency.length > 0 && byFrequency.length < trips.length);
  t.deepEqual(withStart, ['route', ...byFrequency]);
});

const headers = (leg: any) => (leg.alerts ?? []).map((alert: any) => alert.alertHeaderText);

test.serial('an alert about a route is shown with its rides, in the requested language', async (t) => {
  const { alert, ride } = await setUp(t);
  const before = await ride();
  t.false('alerts' in before);
  await alert({ route: before.routeId });
  t.deepEqual((await ride()).alerts, [
    { alertHeaderText: 'Detour', alertUrl: 'http://a.example/', effectiveStartDate: (DAY - 86_400) * 1000 },
  ]);
  const detour = { alertHeaderText: 'Detour', effectiveStartDate: DAY * 1000 + 1 };
  await alert({ route: before.routeId, alert: detour });
  t.deepEqual((await ride()).alerts, [detour]);
  await alert({ id: 'same', stop: before.from.stopId, alert: detour });
  t.deepEqual((await ride()).alerts, [detour], 'about the route and the stop, but once');
  await alert({ id: 'same', stop: `${before.from.stopId}x` });
  await alert({ route: before.routeId });
  t.deepEqual(headers(await ride('&locale=pt')), ['Desvio']);
  t.deepEqual(headers(await ride('&locale=fi')), ['Detour']);
  await alert({ route: `${before.routeId}x` });
  t.deepEqual(headers(await ride()), []);
});

test.serial('alerts about a trip, its ends, or all of a feed', async (t) => {
  const { alert, ride } = await setUp(t);
  const { tripId, from, to, routeId } = await ride('&showIntermediateStops=true');
  for (const about of [
    { trip: tripId },
    { stop: from.stopId },
    { stop: to.stopId },
    { feedId: routeId.split(':')[0] },
  ]) {
    await alert(about);
    t.deepEqual(headers(await ride()), ['Detour'], JSON.stringify(about));
  }
  await alert({ trip: `${tripId}x` });
  t.deepEqual(headers(await ride()), []);
});

test.serial('an alert is shown only in its periods, unless all are requested', async (t) => {
  const { alert, ride } = await setUp(t);
  const { routeId: route, startTime } = await ride();
  const start = startTime / 1000;
  const cases: Array<[object, boolean]> = [
    [{ startTime: start + 4 * 3600, endTime: start + 5 * 3600 }, false],
    [{ startTime: start - 7200, endTime: start - 3600 }, false],
    [{ startTime: start - 3600, endTime: start + 3600 }, true],
  ];
  for (const [period, shown] of cases) {
    await alert({ route, timePeriods: [period] });
    t.deepEqual(headers(await ride()), shown ? ['Detour'] : [], JSON.stringify(period));
    t.deepEqual(headers(await ride('&disableAlertFiltering=true')), ['Detour']);
  }
  await alert({ route, timePeriods: cases.map(([period]) => period) });
  t.deepEqual(headers(await ride()), ['Detour']);
});

test.serial('alerts are sent and shown as XML', async (t) => {
  const { app, query, send, ride } = await setUp(t);
  const [agency, id] = (await ride()).routeId.split(':');
  await send(
    `<AlertPatchSet><AlertPatch><id>x</id><alert><alertHeaderText>A &amp; B</alertHeaderText></alert>
       <route><agency>${agency}</agency><id>${id}</id></route>
       <timePeriods><startTime>${DAY - 86_400}</startTime><endTime>${DAY + 2 * 86_400}</endTime></timePeriods>
     </AlertPatch></AlertPatchSet>`,
    'application/xml',
  );
  t.deepEqual(headers(await ride()), ['A & B']);
  const xml = await (await app.get(query, { Accept: 'application/xml' })).text();
  t.regex(xml, /<alerts>(<alerts>)?<alertHeaderText>A &amp; B<\/alertHeaderText>/);
});

test.serial('an alert replaces the one with the same id', async (t) => {
  const { app, alert, ride } = await setUp(t);
  const { routeId: route } = await ride();
  await alert({ route });
  await alert({ route, alert: { alertHeaderText: 'Other' } });
  t.deepEqual(headers(await ride()), ['Other']);
  await alert({ id: 'q', route });
  t.deepEqual(headers(await ride()).sort(), ['Detour', 'Other']);
  t.is(
    (await app.json(`/patch/routePatches?agency=${route.split(':')[0]}&id=${route.split(':')[1]}`)).alertPatches.length,
    2,
  );
});
