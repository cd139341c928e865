/** Trips that only live data knows, in the index and in GraphQL, on a real graph of a few lines. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { buildGraph, sharedGraph } from '../../support/built-graph.js';
import { type TripFacts, tripUpdates } from '../../support/realtime-feed.js';
import { buildSmallFeed, smallFeedZip } from '../../support/small-feed.js';
import { startApp } from '../../support/test-app.js';

const INDEX = '/routers/default/index';
const MONDAY = '20240108';
const at = (hour: number, minute: number) => Date.UTC(2024, 0, 8, hour, minute) / 1000;
const id = (text: string) => encodeURIComponent(text);

const EXPRESS: TripFacts = {
  trip: 'X 1',
  route: 'R:1',
  date: MONDAY,
  calls: [
    ['a:1', at(8, 30)],
    ['ç%', at(8, 45)],
  ],
};
const LATER: TripFacts = {
  ...EXPRESS,
  trip: 'X 2',
  calls: [
    ['a:1', at(8, 40)],
    ['ç%', at(8, 55)],
  ],
};
const DIVERTED: TripFacts = {
  trip: 'T 2',
  date: MONDAY,
  calls: [
    ['b 2', at(9, 5)],
    ['a:1', at(9, 30)],
  ],
};

/** Some trips have a shape. */
const SHAPES = {
  'trips.txt': `route_id,service_id,trip_id,trip_headsign,direction_id,shape_id
R:1,WK,T#1,End,0,S
R:1,WK,T 2,End,0,S
R:1,WK,back,Start,1,`,
  'shapes.txt': `shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon
S,1,41.000,-8.600
S,2,41.002,-8.600
S,3,41.010,-8.601
S,4,41.020,-8.600`,
};

async function serve(t: ExecutionContext, ...trips: TripFacts[]) {
  const feed = await buildSmallFeed(SHAPES);
  t.teardown(() => feed.remove());
  const options = { feedId: '1', purgeExpiredData: false };
  const tell = (...facts: TripFacts[]) => feed.graph.applyTripUpdates(tripUpdates(facts), options);
  const report = await tell(...trips);
  t.deepEqual(report.issues, []);
  const app = await startApp(t, [{ id: 'default', graph: sharedGraph(feed.graph) }]);
  const ids = async (path: string): Promise<string[]> =>
    (await app.json(INDEX + path)).map((entity: { id: string }) => entity.id);
  const live = async (path: string) => (await ids(path)).filter((code) => code.includes('rt#'));
  return { app, graph: feed.graph, tell, ids, live };
}

test('an added trip is found at its stops, by its code and by its id', async (t) => {
  const { app, ids, live } = await serve(t, EXPRESS, LATER);
  const [code = '', ...others] = await live('/stops/1:a:1/patterns');
  t.regex(code, /^1:R:1::rt#\d+$/);
  t.deepEqual([others, await live('/patterns')], [[], []]);
  t.deepEqual([await live('/routes/1:R:1/patterns'), await live(`/stops/${id('1:b 2')}/patterns`)], [[code], []]);
  const pattern = await app.json(`${INDEX}/patterns/${id(code)}`);
  t.deepEqual(Object.keys(pattern), ['id', 'routeId', 'stops', 'trips']);
  t.deepEqual(await ids(`/patterns/${id(code)}/trips`), ['1:X 1', '1:X 2']);
  t.deepEqual(await ids(`/patterns/${id(code)}/stops`), ['1:a:1', '1:ç%']);
  t.regex(await (await app.get(`${INDEX}/patterns/${id(code)}/semanticHash`)).text(), /^[\w-]{6}$/);
  t.is((await app.get(`${INDEX}/patterns/${id(code)}/geometry`)).status, 404);
  t.like(await app.json(`${INDEX}/trips/${id('1:X 1')}`), { id: '1:X 1', route: { id: '1:R:1' }, serviceId: '1:WK' });
  t.deepEqual(await ids(`/trips/${id('1:X 1')}/stops`), ['1:a:1', '1:ç%']);
  const calls = await app.json(`${INDEX}/trips/${id('1:X 1')}/stoptimes`);
  t.like(calls[1], { stopId: '1:ç%', stopIndex: 1, stopCount: 2, realtimeArrival: 31_500, realtimeState: 'ADDED' });
  t.is(calls[1].serviceDay, 0);
});

test('stop times have added trips among the others', async (t) => {
  const { app } = await serve(t, EXPRESS, LATER);
  const summary = (rows: any[]) =>
    rows.map(({ pattern, times }) => [
      /rt#/.test(pattern.id),
      ...times.map((call: any) => `${call.tripId} ${call.realtimeState} ${call.serviceDay + call.realtimeDeparture}`),
    ]);
  const next = await app.json(`${INDEX}/stops/1:a:1/stoptimes?startTime=${at(8, 35)}&numberOfDepartures=1`);
  t.deepEqual(summary(next), [
    [false, `1:T 2 SCHEDULED ${at(9, 0)}`],
    [false, `1:back SCHEDULED ${at(10, 20)}`],
    [true, `1:X 2 ADDED ${at(8, 40)}`],
  ]);
  const day = await app.json(`${INDEX}/stops/1:a:1/stoptimes/${MONDAY}`);
  t.deepEqual(summary(day).at(-1), [true, `1:X 1 ADDED ${at(8, 30)}`, `1:X 2 ADDED ${at(8, 40)}`]);
  const end = await app.json(`${INDEX}/stops/${id('1:ç%')}/stoptimes/${MONDAY}?omitNonPickups=true`);
  t.false(summary(end).some(([live]) => live));
  const otherDay = await app.json(`${INDEX}/stops/1:a:1/stoptimes/20240109`);
  t.false(summary(otherDay).some(([live]) => live));
});

test('a trip over other stops is listed with its new ones', async (t) => {
  const { app, live } = await serve(t, DIVERTED);
  const [code = ''] = await live('/stops/1:a:1/patterns');
  const { trips, stops } = await app.json(`${INDEX}/patterns/${id(code)}`);
  t.deepEqual([trips[0].id, trips[0].tripHeadsign, stops[0].id], ['1:T 2', 'End', '1:b 2']);
  const rows = await app.json(`${INDEX}/stops/1:a:1/stoptimes/${MONDAY}`);
  const states = rows.flatMap(({ times }: any) => times.map((call: any) => `${call.tripId} ${call.realtimeState}`));
  t.deepEqual(states.toSorted(), [...['1:T 2 MODIFIED', '1:T 2 MODIFIED', '1:T#1 SCHEDULED', '1:back SCHEDULED']]);
});

test('a trip over other stops has its calls there on that day, and those of the schedule on others', async (t) => {
  const { app } = await serve(t, DIVERTED);
  const calls = async (day: string) => {
    const query = `{ trip(id: "1:T 2") { stoptimesForDate(serviceDay: "${day}") { stop { gtfsId } realtimeArrival } } }`;
    const { data } = await app.json(`${INDEX}/graphql?query=${id(query)}`);
    return data.trip.stoptimesForDate.map(({ stop, realtimeArrival }: any) => [stop.gtfsId, realtimeArrival]);
  };
  t.deepEqual(await calls(MONDAY), [
    ['1:b 2', 9 * 3600 + 300],
    ['1:a:1', 9 * 3600 + 1800],
  ]);
  t.deepEqual(await calls('20240109'), [
    ['1:a:1', 9 * 3600],
    ['1:b 2', 9 * 3600 + 600],
    ['1:ç%', 9 * 3600 + 1200],
  ]);
});

test('the code of a pattern stays when live data is repeated, and disappears with its trips', async (t) => {
  const { app, tell, live } = await serve(t, EXPRESS);
  const codes = await live('/stops/1:a:1/patterns');
  await tell(DIVERTED, LATER, EXPRESS);
  t.true((await live('/stops/1:a:1/patterns')).includes(codes[0] ?? ''));
  await tell();
  t.is((await app.get(`${INDEX}/patterns/${id(codes[0] ?? '')}`)).status, 404);
  t.is((await app.get(`${INDEX}/trips/${id('1:X 1')}`)).status, 404);
});

test('a snapshot keeps trips that live data has removed', async (t) => {
  const { graph, tell, live } = await serve(t, EXPRESS);
  const codes = await live('/stops/1:a:1/patterns');
  const snapshot = graph.snapshot();
  await tell();
  const [pattern = -1] = snapshot.findSync('patterns', codes);
  t.deepEqual(
    snapshot.tripsSync(snapshot.relatedSync('patternTrips', Uint32Array.of(pattern)).values).map((trip) => trip.id),
    ['1:X 1'],
  );
  t.deepEqual([...graph.findSync('patterns', codes), graph.patternsSync(Uint32Array.of(pattern)).length], [-1, 0]);
  snapshot.dispose();
  t.throws(() => snapshot.list('stops'), { code: 'DISPOSED' });
  t.is(graph.list('stops').length, 3);
});

test('GraphQL knows added trips and their patterns', async (t) => {
  const { app, live } = await serve(t, EXPRESS);
  const [code] = await live('/stops/1:a:1/patterns');
  const query = `{ pattern(id: "${code}") { name headsign directionId route { shortName } semanticHash geometry { lat }
      trips { gtfsId semanticHash stoptimes { realtimeState realtimeArrival } } stops { name } }
    node(id: "${Buffer.from(`Pattern:${code}`).toString('base64')}") { id }
    trip(id: "1:X 1") { pattern { code } geometry stops { gtfsId } }
    stop(id: "1:a:1") { patterns { code } routes { gtfsId }
      stoptimesForServiceDate(date: "${MONDAY}") { stoptimes { trip { gtfsId } realtimeState headsign } } } }`;
  const body = JSON.stringify({ query });
  const response = await app.request(`${INDEX}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const { data, errors }: any = await response.json();
  t.is(errors, undefined);
  t.like(data.pattern, { name: null, headsign: null, directionId: -1, geometry: null, route: { shortName: '10' } });
  const [trip] = data.pattern.trips;
  t.regex(trip.semanticHash, new RegExp(`^${data.pattern.semanticHash}:[\\w-]{6}$`));
  t.deepEqual(trip.stoptimes[1], { realtimeState: 'ADDED', realtimeArrival: 31_500 });
  t.deepEqual(data.trip, { pattern: { code }, geometry: null, stops: [{ gtfsId: '1:a:1' }, { gtfsId: '1:ç%' }] });
  t.is(data.stop.patterns.at(-1).code, code);
  const added = { trip: { gtfsId: '1:X 1' }, realtimeState: 'ADDED', headsign: null };
  t.deepEqual(data.stop.stoptimesForServiceDate.at(-1).stoptimes, [added]);
  t.truthy(data.node);
});

test('a copy of a trip has its shape', async (t) => {
  const copy: TripFacts = { trip: 'T 2', date: MONDAY, copy: ['copy', '10:00:00'] };
  const { app, graph, live } = await serve(t, copy);
  const [code = ''] = await live(`/stops/${id('1:b 2')}/patterns`);
  const scheduled = await app.json(`${INDEX}/trips/${id('1:T 2')}/geometry`);
  t.is(scheduled.length, 4);
  t.deepEqual(await app.json(`${INDEX}/trips/1:copy/geometry`), scheduled);
  t.deepEqual(await app.json(`${INDEX}/patterns/${id(code)}/geometry`), scheduled);
  t.is((await app.json(`${INDEX}/trips/1:copy`)).shapeId, '1:S');
  const patterns = Uint32Array.from(graph.findSync('patterns', [code]));
  t.is(graph.patternPointsSync(patterns).points.length, 8);
});

test('trips of two feeds that have the same id are both kept', async (t) => {
  const built = await buildGraph(async (directory) => {
    await writeFile(path.join(directory, 'one.zip'), await smallFeedZip());
    await writeFile(path.join(directory, 'two.zip'), await smallFeedZip());
  });
  t.teardown(() => built.remove());
  for (const feedId of ['1', '2']) {
    await built.graph.applyTripUpdates(tripUpdates([EXPRESS]), { feedId, purgeExpiredData: false });
  }
  const app = await startApp(t, [{ id: 'default', graph: sharedGraph(built.graph) }]);
  const trips = async (stop: string) => {
    const rows = await app.json(`${INDEX}/stops/${id(stop)}/stoptimes/${MONDAY}`);
    return rows.flatMap((row: any) => row.times.map(({ tripId }: any) => tripId));
  };
  t.true((await trips('1:a:1')).includes('1:X 1'));
  t.true((await trips('2:a:1')).includes('2:X 1'));
});
