/** Look-ups of long lists: equal to those of the addon at once, with turns of the event loop in between. */

import test from 'ava';
import type { Graph } from '../../src/native/library.js';
import { Graph as GraphClass, TrestleError } from '../../src/native/library.js';
import type { LookUpsAtOnce } from '../../src/native/look-ups-at-once.js';
import type { BuiltGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { turnsDuring } from '../support/turns.js';

let town: BuiltGraph;
let graph: Graph & LookUpsAtOnce;
test.before(async () => {
  town = await buildSampleTown();
  graph = (await GraphClass.open(town.file)) as typeof graph;
});
test.after.always(async () => {
  graph?.dispose();
  await town?.remove();
});

const START = { startTime: Date.parse('2026-11-23T07:00:00Z') / 1000, numberOfDepartures: 3 };

test('rows of a long list are those of one call', async (t) => {
  for (const kind of ['feeds', 'agencies', 'stops', 'routes', 'patterns', 'trips', 'clusters', 'flexAreas'] as const) {
    const all = graph.list(kind);
    t.deepEqual(await graph[kind](all), graph[`${kind}Sync`](all) as unknown[], kind);
  }
  const [patterns, trips] = [graph.list('patterns'), graph.list('trips')];
  t.true(patterns.length > 32 && trips.length > 200);
  t.deepEqual(await graph.patternGeometries(patterns), graph.patternGeometriesSync(patterns));
  t.deepEqual(await graph.patternHashes(patterns), graph.patternHashesSync(patterns));
  t.deepEqual(await graph.tripHashes(trips), graph.tripHashesSync(trips));
  const areas = graph.list('flexAreas');
  t.deepEqual(await graph.flexAreaBoundaries(areas), graph.flexAreaBoundariesSync(areas));
});

test('columns of a long list are those of one call', async (t) => {
  const [stops, patterns, trips] = [graph.list('stops'), graph.list('patterns'), graph.list('trips')];
  t.deepEqual(await graph.related('stopRoutes', stops), graph.relatedSync('stopRoutes', stops));
  t.deepEqual(await graph.transfers(stops), graph.transfersSync(stops));
  t.deepEqual(await graph.stopTimes(stops, START), graph.stopTimesSync(stops, START));
  t.deepEqual(await graph.stopTimesOnDate(stops, '20261123'), graph.stopTimesOnDateSync(stops, '20261123'));
  t.deepEqual(await graph.tripStopTimes(trips), graph.tripStopTimesSync(trips));
  t.deepEqual(await graph.patternPoints(patterns), graph.patternPointsSync(patterns));
  const ids = (await graph.trips(trips)).map(({ id }) => id);
  t.deepEqual(await graph.find('trips', ids), Int32Array.from(trips));
});

test('each text of many calls is given once', async (t) => {
  const calls = graph.tripStopTimesSync(graph.list('trips').subarray(0, 500));
  const { texts, ...columns } = await graph.callTexts(calls.trips, calls.stops, calls.positions);
  t.is(texts[0], '');
  t.is(new Set(texts).size, texts.length);
  const { texts: atOnce, ...same } = graph.callTextsSync(calls.trips, calls.stops, calls.positions);
  for (const name of ['stopIds', 'tripIds', 'blockIds', 'headsigns'] as const) {
    t.true(columns[name].length > 500);
    t.deepEqual(
      Array.from(columns[name], (text) => texts[text]),
      Array.from(same[name], (text) => atOnce[text]),
      name,
    );
  }
});

test('the program goes on while long lists are read', async (t) => {
  const trips = graph.list('trips');
  const calls = await graph.tripStopTimes(trips);
  for (const [name, read] of Object.entries({
    rows: () => graph.trips(trips),
    columns: () => graph.tripStopTimes(trips),
    texts: () => graph.callTexts(calls.trips, calls.stops, calls.positions),
  })) {
    const turns = await turnsDuring(read());
    t.true(turns > 5, `${turns} turns for ${name}`);
  }
});

test('a look-up reads one state of the live data', async (t) => {
  const own = await GraphClass.open(town.file);
  const trips = own.list('trips');
  const reading = own.trips(trips);
  own.dispose();
  t.is((await reading).length, trips.length);
  await t.throwsAsync(own.trips(trips), { instanceOf: TrestleError, code: 'DISPOSED' });
});

test('positions are in any list of whole numbers; those that do not exist are left out', async (t) => {
  const [first, , third] = await graph.stops(graph.list('stops').subarray(0, 3));
  t.deepEqual(await graph.stops([first?.index ?? 0, 4e9, third?.index ?? 0]), [first, third]);
  const found = await graph.find('stops', [third?.id ?? '', 'nowhere:1']);
  t.deepEqual([found[1], await graph.stops(found)], [-1, [third]]);
  t.deepEqual(await graph.stops([]), []);
  t.deepEqual([...(await graph.related('stopRoutes', [])).offsets], [0]);
});

test('wrong arguments reject with INVALID_REQUEST', async (t) => {
  const invalid = { instanceOf: TrestleError, code: 'INVALID_REQUEST' };
  const list = graph.list('stops');
  for (const call of [
    () => graph.stops([0.5]),
    () => graph.stops(['1'] as never),
    () => graph.stops(5 as never),
    () => graph.stops(undefined as never),
    () => graph.find('stops', 'city:1' as never),
    () => graph.find('stations' as never, []),
    () => graph.related('nothing' as never, list),
    () => graph.stopTimesOnDate(list, 'tomorrow'),
    () => graph.stopTimesOnDate([], 'tomorrow'),
    () => graph.alerts(0, undefined as never),
    () => graph.each('stops', [0.5]).next(),
    () => GraphClass.prototype.stops.call({} as never, list),
  ]) {
    const promise = call();
    await t.throwsAsync(promise, invalid, String(call));
  }
});

test('lists of live data are read some at a time', async (t) => {
  const alerts = Array.from({ length: 300 }, (_, i) => {
    const header = [{ language: '', text: `alert ${i}` }];
    return { id: String(i), header, description: [], url: [], feedId: 'city', directionId: -1, periods: [] };
  });
  const own = await GraphClass.open(town.file);
  t.teardown(() => own.dispose());
  await own.setAlerts(alerts);
  const ids = async (from: number, count: number) => (await own.alerts(from, count)).map(({ id }) => Number(id));
  t.deepEqual(
    await ids(10, 50),
    Array.from({ length: 50 }, (_, i) => 10 + i),
  );
  t.is((await ids(290, 1000)).length, 10);
  t.is((await ids(0, Infinity)).length, 300);
  const onDay = (serviceDate: string) =>
    own.setAlerts(alerts.slice(0, 1).map((alert) => ({ ...alert, serviceDate, startTime: 28_800 })));
  await t.throwsAsync(onDay('2026-11-23'), { code: 'INVALID_REQUEST', message: /"2026-11-23" is not a date/ });
  t.is((await ids(0, Infinity)).length, 300);
  await onDay('20261123');
  t.deepEqual(
    (await own.alerts(0, 2)).map(({ serviceDate, startTime }) => [serviceDate, startTime]),
    [['20261123', 28_800]],
  );
  t.true(Array.isArray(await own.staticRentalStations()));
});

test('a walk to a stop is as long as its radius in metres, however many turns it takes', async (t) => {
  const { centerLatitude, centerLongitude } = graph.info();
  const within = (radius: number) => graph.stopsWithinWalk(centerLatitude, centerLongitude, radius);
  const [far, near] = [await within(5000), await within(400)];
  const count = far.distances.filter((meters) => meters <= 400).length;
  t.true(count > 3 && count < far.stops.length, `${count}`);
  t.deepEqual(near.distances, far.distances.slice(0, count));
  t.deepEqual(near.stops, far.stops.slice(0, count));
});
