/** The transit index over HTTP, on a real graph of a few lines. */

import test from 'ava';
import { builtBefore, sharedGraph } from '../../support/built-graph.js';
import { answerCheck } from '../../support/described-answers.js';
import { buildSmallFeed } from '../../support/small-feed.js';
import { startApp, type TestApp } from '../../support/test-app.js';

const feed = builtBefore(test, buildSmallFeed);

const INDEX = '/routers/default/index';
const serve = (t: Parameters<typeof startApp>[0]): Promise<TestApp> =>
  startApp(t, [{ id: 'default', graph: sharedGraph(feed.graph) }]);
const id = (text: string) => encodeURIComponent(text);

test('every entity is found by its id, whatever letters it has', async (t) => {
  const app = await serve(t);
  const names = async (path: string) => (await app.json(INDEX + path)).name;
  t.is(await names(`/stops/${id('1:a:1')}`), 'Praça & 1st');
  t.is(await names(`/stops/${id('1:b 2')}`), 'Oak 100%');
  t.is(await names(`/stops/${id('1:ç%')}`), 'End');
  t.is((await app.json(`${INDEX}/trips/${id('1:T#1')}`)).id, '1:T#1');
  t.is((await app.json(`${INDEX}/patterns/${id('1:R:1:0:01')}`)).routeId, '1:R:1');
});

test('ids may have slashes, as those of platforms in Switzerland', async (t) => {
  const swiss = await buildSmallFeed({
    'stops.txt': `stop_id,stop_name,stop_lat,stop_lon
8503000:0:41/42,Hauptbahnhof,41.000,-8.600
b 2,Oak,41.002,-8.600
../ç%,End,41.020,-8.600`,
    'routes.txt': 'route_id,agency_id,route_short_name,route_type\nR:1,AG,10,3\nU,AG,1,3\nA/1,AG,A,3',
    'trips.txt': 'route_id,service_id,trip_id\nA/1,WK,T/1',
    'stop_times.txt': `trip_id,stop_sequence,stop_id,arrival_time,departure_time
T/1,1,8503000:0:41/42,8:00:00,8:00:00
T/1,2,../ç%,8:20:00,8:20:00`,
  });
  t.teardown(() => swiss.remove());
  const app = await startApp(t, [{ id: 'default', graph: sharedGraph(swiss.graph) }]);
  const [stop, end] = [`${INDEX}/stops/1:8503000:0:41%2F42`, `${INDEX}/stops/${id('1:../ç%')}`];
  t.is((await app.json(stop)).name, 'Hauptbahnhof');
  t.is((await app.json(end)).name, 'End');
  t.is((await app.json(`${stop}/routes`))[0].id, '1:A/1');
  t.is((await app.json(`${stop}/stoptimes/20240108`))[0].times[0].tripId, '1:T/1');
  t.is((await app.json(`${INDEX}/routes/1:A%2f1`)).shortName, 'A');
  t.is((await app.json(`${INDEX}/trips/1:T%2F1/stops`)).length, 2);
  t.is((await app.json(`${INDEX}/patterns/${id('1:A/1::01')}/stops`)).length, 2);
  t.is((await app.get(`${INDEX}/stops/1:none%2F`)).status, 404);
  for (const path of [
    '/routers/default%2F/index/stops/1:a',
    `${INDEX}/graphql/page/..%2Fx`,
    `${INDEX}/stops/1:%2F%00`,
    `${INDEX}/stops%2F1:a`,
  ]) {
    t.is((await app.get(path)).status, 400, path);
  }
});

test('shapes and their member order', async (t) => {
  const app = await serve(t);
  const stop = await app.json(`${INDEX}/stops/1:a:1`);
  t.deepEqual(Object.keys(stop), [
    ...['id', 'name', 'lat', 'lon', 'code', 'locationType', 'parentStation', 'wheelchairBoarding'],
    ...['vehicleType', 'vehicleTypeSet'],
  ]);
  t.is(stop.vehicleType, -999);
  const route = await app.json(`${INDEX}/routes/1:R:1`);
  t.like(route, { id: '1:R:1', agency: { id: 'AG' }, type: 3, color: 'FFFF00', textColor: '000000', sortOrder: -999 });
  const [short] = await app.json(`${INDEX}/routes`);
  const members = {
    id: '1:R:1',
    shortName: '10',
    longName: 'Long',
    mode: 'BUS',
    color: 'FFFF00',
    agencyName: 'Agência',
  };
  t.deepEqual(short, members);
  const trip = await app.json(`${INDEX}/trips/1:back`);
  t.like(trip, { serviceId: '1:WK', directionId: '1', tripBikesAllowed: 2, bikesAllowed: 1, drtAdvanceBookMin: 0 });
});

test('lists contain only what is served: no stations, no routes without trips', async (t) => {
  const app = await serve(t);
  const ids = async (path: string) => (await app.json(INDEX + path)).map((entity: any) => entity.id).sort();
  t.deepEqual(await app.json(`${INDEX}/feeds`), ['1']);
  t.deepEqual(await ids('/stops'), ['1:a:1', '1:b 2', '1:ç%']);
  t.deepEqual(await ids('/routes'), ['1:R:1']);
  t.deepEqual(await ids('/patterns'), ['1:R:1:0:01', '1:R:1:1:01']);
  t.deepEqual(await ids(`/routes?hasStop=${id('1:b 2')}&hasStop=1:a:1`), ['1:R:1']);
  t.deepEqual(await ids('/stops/1:a:1/patterns'), ['1:R:1:0:01', '1:R:1:1:01']);
  t.deepEqual(await app.json(`${INDEX}/agencies/nope`), []);
  t.is((await app.json(`${INDEX}/clusters?detail=true`)).length, 3);
  t.deepEqual(await app.json(`${INDEX}/flexAreas`), []);
});

test('stops in a circle come nearest first, in a box without distance', async (t) => {
  const app = await serve(t);
  const circle = await app.json(`${INDEX}/stops?lat=41.0019&lon=-8.6&radius=1000`);
  t.deepEqual(
    circle.map((stop: any) => [stop.id, stop.dist]),
    [
      ['1:b 2', 11],
      ['1:a:1', 211],
    ],
  );
  const box = await app.json(`${INDEX}/stops?minLat=41.001&minLon=-8.7&maxLat=41.003&maxLon=-8.5`);
  t.deepEqual(
    box.map((stop: any) => [stop.id, stop.dist]),
    [['1:b 2', undefined]],
  );
});

test('next calls of a stop, and those of a day', async (t) => {
  const app = await serve(t);
  const noon = Date.UTC(2024, 9, 9, 7, 30) / 1000;
  const [pattern] = await app.json(`${INDEX}/stops/${id('1:b 2')}/stoptimes?startTime=${noon}&numberOfDepartures=1`);
  t.deepEqual(pattern.pattern, { id: '1:R:1:0:01', desc: '10 to End (1:ç%)' });
  t.deepEqual(pattern.times, [
    {
      stopId: '1:b 2',
      stopIndex: 1,
      stopCount: 3,
      scheduledArrival: 33_000,
      scheduledDeparture: 33_060,
      realtimeArrival: 33_000,
      realtimeDeparture: 33_060,
      arrivalDelay: 0,
      departureDelay: 0,
      timepoint: true,
      realtime: false,
      realtimeState: 'SCHEDULED',
      serviceDay: Date.UTC(2024, 9, 8, 23) / 1000,
      tripId: '1:T 2',
      headsign: 'End',
      continuousPickup: 1,
      continuousDropOff: 1,
      serviceAreaRadius: 0,
      stopSequence: 2,
    },
  ]);
  t.deepEqual(await app.json(`${INDEX}/stops/1:a:1/stoptimes?startTime=${noon}&numberOfDepartures=0`), []);
  const day = await app.json(`${INDEX}/stops/1:a:1/stoptimes/20241012`);
  t.deepEqual(
    day.map(({ times }: any) => times),
    [[], []],
  );
  const trip = await app.json(`${INDEX}/trips/${id('1:T 2')}/stoptimes`);
  t.deepEqual([trip.length, trip[0].serviceDay, trip[0].tripId], [3, 0, undefined]);
});

test('a feed without feed_info.txt has only its id', async (t) => {
  const app = await serve(t);
  t.deepEqual(await app.json(`${INDEX}/feeds`), ['1']);
  t.deepEqual(await app.json(`${INDEX}/feeds/1`), { id: '1' });
});

for (const path of [
  ...['/stops/nope', '/stops/1:nope', '/stops/1:ST', '/stops/1:nope/stoptimes', '/stops/:', '/routes/1:U'],
  ...['/routes/x', '/trips/1:', '/trips/1:x/stoptimes', '/patterns/1:R:1:0:99', '/clusters/C999', '/feeds/9'],
  ...['/agencies/9/AG', '/agencies/1/nope/routes', '/routes?hasStop=1:nope', '/patterns/1:R:1:0:01/geometry'],
]) {
  test(`${path} is not found`, async (t) => {
    const app = await serve(t);
    const response = await app.get(INDEX + path);
    t.is(response.status, 404);
    t.is(response.headers.get('content-type'), 'application/json');
    t.is(await response.text(), 'FOUR ZERO FOUR');
  });
}

for (const path of [
  ...[
    '/stops?detail=true',
    '/stops?lat=41&lon=-8.6',
    '/stops?lat=41&lon=-8.6&radius=-1',
    '/stops?lat=x&lon=1&radius=1',
  ],
  ...['/stops?minLat=42&minLon=-9&maxLat=41&maxLon=-8', '/stops?minLat=41', '/stops?lat=1e999&lon=0&radius=1'],
  ...['/stops/1:a:1/stoptimes/2024-10-09', '/stops/1:a:1/stoptimes/abc', '/stops/1:a:1/stoptimes?startTime=soon'],
  '/stops/1:a:1/stoptimes?numberOfDepartures=99999999999',
]) {
  test(`${path} is refused`, async (t) => {
    const app = await serve(t);
    const response = await app.get(INDEX + path);
    t.is(response.status, 400);
    t.is(await response.text(), 'FOUR HUNDRED');
  });
}

test('texts that are not JSON keep their form', async (t) => {
  const app = await serve(t);
  t.is(await (await app.get(`${INDEX}/services/any`)).text(), 'NONE');
  t.regex(await (await app.get(`${INDEX}/patterns/1:R:1:0:01/semanticHash`)).text(), /^[\w-]{6}$/);
  t.regex(await (await app.get(`${INDEX}/trips/1:back/semanticHash`)).text(), /^[\w-]{6}:[\w-]{6}$/);
  const area = await app.get(`${INDEX}/flexAreas/1:none`);
  t.deepEqual([area.status, await area.text()], [404, '']);
});

test('clients may keep whole lists as long as the graph is the same', async (t) => {
  const app = await serve(t);
  const first = await app.get(`${INDEX}/stops`);
  const tag = first.headers.get('etag') ?? '';
  t.regex(first.headers.get('cache-control') ?? '', /max-age=\d+/);
  // Without its own Cache-Control, `fetch` would require a fresh answer.
  const again = await app.get(`${INDEX}/stops`, { 'If-None-Match': tag, 'Cache-Control': 'max-age=0' });
  t.is(again.status, 304);
  t.is((await app.get(`${INDEX}/stops/1:a:1/stoptimes`)).headers.get('cache-control'), 'no-cache');
});

test('answers that depend on the clock have no tag, and lists are compressed for clients that accept it', async (t) => {
  const app = await serve(t);
  t.is((await app.get(`${INDEX}/stops/1:a:1/stoptimes`)).headers.get('etag'), null);
  t.not((await app.get(`${INDEX}/stops/1:a:1`)).headers.get('etag'), null);
  const plain = await app.get(`${INDEX}/stops`, { 'Accept-Encoding': 'identity' });
  const small = await app.get(`${INDEX}/stops`, { 'Accept-Encoding': 'gzip' });
  t.deepEqual(
    [plain, small].map(({ headers }) => headers.get('content-encoding')),
    [null, 'gzip'],
  );
  // One tag stands for different bytes, so it has to be weak.
  t.is(small.headers.get('etag'), plain.headers.get('etag'));
  t.regex(small.headers.get('etag') ?? '', /^W\/"/);
  t.is(await small.text(), await plain.text());
  t.regex(small.headers.get('vary') ?? '', /Accept-Encoding/i);
});

test('days and months of a date roll over, the radius of a circle is cut', async (t) => {
  const app = await serve(t);
  const times = async (date: string) => JSON.stringify(await app.json(`${INDEX}/stops/1:a:1/stoptimes/${date}`));
  t.is(await times('20241340'), await times('20250209'));
  t.is(await times('20240931'), await times('20241001'));
  t.not(await times('20241001'), await times('20241005'));
  t.is((await app.json(`${INDEX}/stops?lat=41&lon=-8.6&radius=1e12`)).length, 3);
  t.deepEqual(await app.json(`${INDEX}/stops?lat=41&lon=-8.6&radius=0`), []);
});

test('an unknown router is reported in plain text', async (t) => {
  const app = await serve(t);
  const response = await app.get('/routers/nowhere/index/stops');
  t.deepEqual([response.status, await response.text()], [404, "Graph id 'nowhere' not registered.\n"]);
});

test('vehicles that people drive themselves are cars, as the answers are described', async (t) => {
  const shared = await buildSmallFeed({
    'routes.txt': 'route_id,agency_id,route_short_name,route_type\nR:1,AG,10,1601\nU,AG,1,3',
  });
  t.teardown(() => shared.remove());
  const app = await startApp(t, [{ id: 'default', graph: sharedGraph(shared.graph) }]);
  const check = await answerCheck();
  for (const [target, member] of [
    ['/routers/default', 'transitModes'],
    [`${INDEX}/routes`, 'mode'],
  ] as const) {
    const answer = await app.json(target);
    const text = JSON.stringify(answer);
    t.true(JSON.stringify([answer].flat().map((entry) => entry[member])).includes('"CAR"'), text);
    t.deepEqual(check({ method: 'GET', target, status: 200, mediaType: 'application/json', text }), []);
  }
});
