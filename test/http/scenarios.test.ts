/** Scenarios over a real town: stored, applied to searches, and compared with the unchanged schedule. */

import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { ROUTES } from '../../src/http/routes.js';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';

const town = builtBefore(test, buildSampleTown);

async function setUp(t: ExecutionContext, flags = {}) {
  const directory = await temporaryDirectory(t);
  const routers = [{ id: 'r', graph: sharedGraph(town.graph), file: path.join(directory, 'Graph.obj') }];
  const app = await startApp(t, routers, { flags: { insecure: true, analyst: true, ...flags } });
  const put = (id: string, scenario: unknown) =>
    app.request(`/routers/r/scenarios/${id}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: typeof scenario === 'string' ? scenario : JSON.stringify(scenario),
    });
  const putOne = async (id: string, modification: object) => {
    const answer = await put(id, { modifications: [modification] });
    t.is(answer.status, 201, await answer.clone().text());
    return (await answer.json()) as any;
  };
  /** Parameters of `extra` come before those of the journey. */
  const plan = async (extra = '') => (await app.json(`/routers/r/plan?${extra.slice(1)}&${journey()}`)) as any;
  return { app, directory, put, putOne, plan };
}

/** A trip across the village on a working day. */
function journey(): string {
  const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = town.graph.info();
  const at = (share: number) => `${(south + (north - south) * share).toFixed(6)},${lon}`;
  const mode = 'mode=TRANSIT,WALK&maxWalkDistance=1200&numItineraries=1';
  return `fromPlace=${at(0.2)}&toPlace=${at(0.8)}&date=2026-11-23&time=8:00am&${mode}`;
}

/** The first ride of the first itinerary. */
function firstRide({ plan }: any) {
  return plan.itineraries[0]?.legs.find((leg: any) => leg.transitLeg);
}

const rides = ({ plan }: any) => plan.itineraries[0].legs.filter((leg: any) => leg.transitLeg);
const withoutClock = ({ debugOutput, ...answer }: any) => answer;

test('scenarios are created, listed, described, replaced and deleted', async (t) => {
  const { app, directory, put, putOne, plan } = await setUp(t);
  t.deepEqual(await app.json('/routers/r/scenarios'), {});
  const { routeId } = firstRide(await plan());
  const created = await putOne('less', { type: 'remove-trip', routeId });
  t.is(created.id, 'less');
  t.is(created.description, 'no description provided');
  t.like(created.modifications[0], { type: 'remove-trip', routeId, warnings: [] });
  t.true(created.modifications[0].changed > 0);
  t.deepEqual(await app.json('/routers/r/scenarios/less'), created);
  const again = await put('less', { ...created, description: 'Fewer buses' });
  t.is(again.status, 200);
  t.deepEqual(await app.json('/routers/r/scenarios'), { less: 'Fewer buses' });
  t.deepEqual(await readdir(path.join(directory, 'Graph.scenarios')), ['less.json']);
  const deletion = await app.request('/routers/r/scenarios/less', { method: 'DELETE' });
  t.is(deletion.status, 200);
  t.deepEqual(await app.json('/routers/r/scenarios'), {});
  for (const method of ['GET', 'DELETE']) {
    const missing = await app.request('/routers/r/scenarios/less', { method });
    t.is(`${missing.status} ${await missing.text()}`, '404 FOUR ZERO FOUR');
    t.is(missing.headers.get('Content-Type'), 'application/json');
  }
});

test('a removed route is not ridden, and without the scenario nothing changes', async (t) => {
  const { putOne, plan } = await setUp(t);
  const before = await plan();
  const { routeId, tripId } = firstRide(before);
  await putOne('less', { type: 'remove-trip', routeId });
  await putOne('later', { type: 'remove-trip', tripId: [tripId] });
  const without = await plan('&scenario=less');
  t.true(without.plan.itineraries.length > 0);
  for (const itinerary of without.plan.itineraries) {
    for (const leg of itinerary.legs) t.not(leg.routeId, routeId);
  }
  t.not(firstRide(await plan('&scenario=later'))?.tripId, tripId);
  t.deepEqual(withoutClock(await plan()), withoutClock(before));
});

test('GraphQL plans in a scenario, and its legs lead to entities of the scenario', async (t) => {
  const { app, putOne } = await setUp(t);
  const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = town.graph.info();
  const stop = (share: number, name: string) => ({ lat: south + (north - south) * share, lon, name });
  const timetable = { headway: 300, startTime: '7:00', endTime: '10:00', speed: 25 };
  const stops = [stop(0.2, 'South gate'), stop(0.8, 'North gate')];
  await putOne('tram', { type: 'add-trip-pattern', name: 'T9', routeType: 0, stops, timetables: [timetable] });
  const ask = async (scenario: string) => {
    const legs = 'legs { mode route { shortName } trip { gtfsId pattern { stops { name } } } from { stop { name } } }';
    const places = [0.2, 0.8].map((share) => `"${stop(share, '').lat.toFixed(6)},${lon}"`);
    const query = `{ plan(fromPlace: ${places[0]}, toPlace: ${places[1]}, date: "2026-11-23", time: "8:00am",
      scenario: ${JSON.stringify(scenario)}) { error { message } itineraries { ${legs} } } }`;
    const body = JSON.stringify({ query });
    const headers = { 'Content-Type': 'application/json' };
    return (await (await app.request('/routers/r/index/graphql', { method: 'POST', headers, body })).json()) as any;
  };
  const { data, errors } = await ask('tram');
  t.is(errors, undefined);
  const ride = data.plan.itineraries[0].legs.find(({ mode }: any) => mode === 'TRAM');
  t.like(ride, { route: { shortName: 'T9' }, from: { stop: { name: 'South gate' } } });
  t.deepEqual(ride.trip.pattern.stops, [{ name: 'South gate' }, { name: 'North gate' }]);
  t.deepEqual((await ask('nothing')).data.plan, { error: { message: 'BOGUS_PARAMETER' }, itineraries: [] });
});

test('rrtr uses scenarios', async (t) => {
  const { app, putOne } = await setUp(t);
  await putOne('less', { type: 'remove-trip', routeType: [0, 1, 2, 3, 4, 5, 6, 7] });
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  const reach = (extra = '') => app.json(`/routers/r/rrtr?from=${lat},${lon}&date=2026-11-23&detail=true${extra}`);
  const [now, less] = [await reach(), await reach('&scenario=less')];
  t.true(less.stops < now.stops, `${less.stops} of ${now.stops} stops`);
  t.is((await app.get(`/routers/r/rrtr?from=${lat},${lon}&scenario=none`)).status, 400);
});

test('longer stays at stops and skipped stops show in the times of a trip', async (t) => {
  const { putOne, plan } = await setUp(t);
  const before = firstRide(await plan('&showIntermediateStops=true'));
  const middle = before.intermediateStops[0]?.stopId;
  t.truthy(middle, 'the ride passes a stop');
  const { tripId } = before;
  await putOne('slow', { type: 'adjust-dwell-time', tripId, stopId: middle, dwellTime: 120 });
  await putOne('express', { type: 'skip-stop', tripId, stopId: [middle] });
  const slow = firstRide(await plan('&scenario=slow&showIntermediateStops=true'));
  if (slow.tripId === tripId) {
    const stay = slow.intermediateStops.find((stop: any) => stop.stopId === middle);
    t.is(stay.departure - stay.arrival, 120_000);
    t.true(slow.endTime > before.endTime);
    t.is(slow.startTime, before.startTime);
  } else t.fail('the slower trip is still the best one of this journey');
  const express = firstRide(await plan('&scenario=express&showIntermediateStops=true'));
  t.is(express.tripId, tripId);
  t.false(express.intermediateStops.some((stop: any) => stop.stopId === middle));
  t.true(express.endTime <= before.endTime);
});

test('timetables become headways, and headways change', async (t) => {
  const { put, plan } = await setUp(t);
  const before = firstRide(await plan());
  const convert = { type: 'convert-to-frequency', routeId: before.routeId, groupBy: 'PATTERN' };
  const rideEvery = async (headway: number) => {
    const adjust = { type: 'adjust-headway', routeId: before.routeId, headway };
    t.is((await put(`every-${headway}`, { modifications: [convert, adjust] })).status, 201);
    const ride = firstRide(
      await plan(`&scenario=every-${headway}&whiteListedRoutes=${before.routeId.replace(':', '__')}`),
    );
    t.like(ride, { routeId: before.routeId, headway, isNonExactFrequency: true });
    return ride;
  };
  const [often, seldom] = [await rideEvery(60), await rideEvery(1200)];
  t.true(seldom.endTime - often.endTime > 600_000);
});

test('a new line over new stops is ridden', async (t) => {
  const { putOne, plan } = await setUp(t);
  const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = town.graph.info();
  const at = (share: number) => ({ lat: south + (north - south) * share, lon, name: `New ${share}` });
  const made = await putOne('tram', {
    type: 'add-trip-pattern',
    name: 'T9',
    routeType: 0,
    stops: [at(0.2), at(0.5), at(0.8)],
    timetables: [{ headway: 120, startTime: '6:00', endTime: '22:00:00', speed: 20, dwellTimes: [0, 20, 0] }],
  });
  t.deepEqual(made.modifications[0].warnings, []);
  const answer = await plan('&scenario=tram');
  const ride = firstRide(answer);
  t.like(ride, { mode: 'TRAM', routeShortName: 'T9', headsign: 'New 0.8' });
  t.is(ride.from.name, 'New 0.2');
  t.is(ride.headway, 120);
  const transfer = await plan('&scenario=tram&mode=BUS,TRAM,WALK&numItineraries=3');
  t.true(transfer.plan.itineraries.length > 0);
  t.not(firstRide(await plan()).routeShortName, 'T9');
});

test('a forbidden transfer is not made', async (t) => {
  const { putOne, plan } = await setUp(t);
  const answer = await withTransfer(plan);
  const [one, two] = rides(answer.found);
  const rule = { type: 'transfer-rule', fromStopId: one.to.stopId, toStopId: two.from.stopId, transferType: 3 };
  t.is((await putOne('apart', rule)).modifications[0].changed, 1);
  const after = await plan(`${answer.query}&scenario=apart`);
  for (const { legs } of after.plan.itineraries) {
    const [first, second] = legs.filter((leg: any) => leg.transitLeg);
    t.notDeepEqual([first?.to.stopId, second?.from.stopId], [one.to.stopId, two.from.stopId]);
  }
});

/** The first of some trips between corners of the village that needs a transfer. */
async function withTransfer(plan: (extra: string) => Promise<any>): Promise<{ query: string; found: any }> {
  const { lowerLeftLatitude: south, upperRightLatitude: north } = town.graph.info();
  const { lowerLeftLongitude: west, upperRightLongitude: east } = town.graph.info();
  const at = (a: number, b: number) => `${south + (north - south) * a},${west + (east - west) * b}`;
  for (const a of [0.15, 0.3, 0.5]) {
    for (const b of [0.15, 0.5, 0.85]) {
      const query = `&fromPlace=${at(a, b)}&toPlace=${at(1 - b, 1 - a)}&maxWalkDistance=500`;
      const found = await plan(query);
      if (found.plan?.itineraries.length > 0 && rides(found).length === 2) return { query, found };
    }
  }
  throw new Error('no trip of the village needs a transfer');
}

test('surfaces, isochrones, time grids, matrices and tiles follow a scenario', async (t) => {
  const { app, putOne, plan } = await setUp(t);
  const { routeId } = firstRide(await plan());
  await putOne('less', { type: 'remove-trip', routeId });
  const surface = async (extra: string) => {
    const answer = await app.request(`/surfaces?routerId=r&${journey()}&cutoffMinutes=60${extra}`, { method: 'POST' });
    t.is(answer.status, 200);
    return ((await answer.json()) as any).id;
  };
  const [before, after] = [await surface(''), await surface('&scenario=less')];
  const bytes = async (target: string, init: RequestInit = {}) => {
    const answer = await app.request(target, init);
    t.is(answer.status, 200, target);
    return Buffer.from(await answer.arrayBuffer()).toString('base64');
  };
  const { lat, lon } = centre();
  const [x, y] = [Math.floor(((lon + 180) / 360) * 2 ** 12), mercatorRow(lat, 12)];
  const same = await bytes(`/surfaces/${before}/differencetiles/${before}/12/${x}/${y}.png`);
  const different = await bytes(`/surfaces/${before}/differencetiles/${after}/12/${x}/${y}.png`);
  t.not(same, different);
  const differs = async (target: string, init: RequestInit = {}) => {
    const glue = target.includes('?') ? '&' : '?';
    t.not(await bytes(target, init), await bytes(`${target}${glue}scenario=less`, init), target);
  };
  await differs(`/routers/r/isochrone?${journey()}&cutoffSec=1200&cutoffSec=2400`);
  await differs(`/routers/r/timegrid?${journey()}&maxTimeSec=3600`);
  await differs(`/routers/r/isochroneOld?${journey()}&walkTime=30`);
  await differs(
    `/routers/r/simpleIsochrone?${journey()}&requestTimespanHours=1&radiusMeters=400&contourSpacingMinutes=15`,
  );
  await differs(`/routers/r/analyst/tile/12/${x}/${y}.png?${journey()}&styles=color30`);
  const [from, to] = ['fromPlace', 'toPlace'].map((name) =>
    (new URLSearchParams(journey()).get(name) ?? '').split(',').map(Number),
  );
  await differs(`/routers/r/profile?from=${from}&to=${to}&date=2026-11-23&startTime=8:00&endTime=8:30`);
  await differs(`/routers/r/matrix?${journey()}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ origins: [from], destinations: [to] }),
  });
});

function centre() {
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  return { lat, lon };
}

function mercatorRow(lat: number, zoom: number): number {
  const radians = (lat * Math.PI) / 180;
  return Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * 2 ** zoom);
}

test('mistakes are reported with the wrong member', async (t) => {
  const { app, put, plan } = await setUp(t);
  const refused = async (scenario: unknown) => {
    const answer = await put('bad', scenario);
    return `${answer.status} ${await answer.text()}`;
  };
  const one = (modification: object) => refused({ modifications: [modification] });
  t.regex(await refused('{'), /^400 not valid JSON/);
  t.is(await refused('[]'), '400 expected an object with modifications\n');
  t.is(await refused({}), '400 modifications: expected a list\n');
  t.is(await one({}), '400 modifications[0].type: is missing\n');
  t.regex(await one({ type: 'remove-trips' }), /^400 modifications\[0\]\.type: expected one of .*"remove-trip"/);
  t.is(
    await one({ type: 'remove-trip' }),
    '400 modifications[0]: selects no trips: name agencies, routes, patterns, trips or route types\n',
  );
  t.is(await one({ type: 'remove-trip', routeId: 'x:y' }), "400 modifications[0]: unknown route 'x:y'\n");
  t.is(await one({ type: 'adjust-headway', routeType: 3 }), '400 modifications[0].headway: is missing\n');
  t.regex(
    await one({ type: 'adjust-headway', routeType: 3, headway: 0 }),
    /headway: expected a whole number from 1 to 604800/,
  );
  t.regex(await one({ type: 'convert-to-frequency', routeType: 3, windowStart: '7h' }), /windowStart: expected/);
  t.regex(await one({ type: 'remove-trip', directionId: 1e99 }), /^400 modifications\[0\]\.directionId: expected/);
  const line = (stop: object, timetable: object) =>
    one({ type: 'add-trip-pattern', name: 'X', stops: [stop, stop], timetables: [timetable] });
  t.regex(await line({ lat: 91, lon: 0 }, {}), /^400 modifications\[0\]\.stops\[0\]\.lat: expected/);
  t.is(
    await line({ lat: 1 }, { departures: ['8:00'], speed: 9 }),
    '400 stops: a stop needs a stopId, or lat and lon\n',
  );
  t.regex(await line({ stopId: 'x:y' }, { departures: ['8:00'] }), /^400 timetables: give hopTimes, or a speed/);
  t.regex(await refused(`{"modifications":${'['.repeat(50_000)}`), /^400 not valid JSON/);
  t.regex(await refused({ modifications: Array(501).fill({}) }), /more than 500/);
  t.is((await put('bad', ' '.repeat(300_000))).status, 413);
  t.is((await put('a%2Fb', { modifications: [] })).status, 400);
  t.deepEqual(await app.json('/routers/r/scenarios'), {});
  const odd = await put('odd', { modifications: [{ type: 'remove-trip', routeType: 3, rout: 1 }] });
  t.regex(((await odd.json()) as any).modifications[0].warnings[0], /rout: unknown key, ignored/);
  t.like((await plan('&scenario=none')).error, { message: 'BOGUS_PARAMETER' });
  const grid = await app.get(`/routers/r/isochrone?${journey()}&cutoffSec=600&scenario=none`);
  t.is(`${grid.status} ${await grid.text()}`, '400 scenario: there is no scenario "none"\n');
});

test('every search refuses unknown scenarios, and answers under a scenario are not cached', async (t) => {
  const { app, putOne } = await setUp(t);
  const { lat, lon } = centre();
  const { z, x, tile } = { z: 12, x: Math.floor(((lon + 180) / 360) * 2 ** 12), tile: `${mercatorRow(lat, 12)}.png` };
  const extra = `maxTimeSec=600&cutoffSec=600&routerId=r&from=${lat},${lon}&to=${lat},${lon}&startTime=8:00&endTime=8:10`;
  const places = JSON.stringify({ origins: [[lat, lon]], destinations: [[lat, lon]] });
  const searches = ROUTES.filter(({ query = {} }) => 'scenario' in query);
  t.true(searches.length >= 10, 'the searches name the parameter');
  await putOne('less', { type: 'remove-trip', routeType: 3 });
  for (const { method, path: pattern } of searches) {
    const target = pattern
      .replace(':routerId', 'r')
      .replace(':z', `${z}`)
      .replace(':x', `${x}`)
      .replace(':tile', tile)
      .replace(':layers', 'stops')
      .replace(':file', tile.replace('.png', '.pbf'));
    const body = target.endsWith('/matrix') ? { headers: { 'Content-Type': 'application/json' }, body: places } : {};
    const ask = (scenario: string) =>
      app.request(`${target}?${journey()}&${extra}&scenario=${scenario}`, { method, ...body });
    const unknown = await ask('none');
    if (target.endsWith('/plan')) t.like(await unknown.json(), { error: { message: 'BOGUS_PARAMETER' } });
    else t.is(`${unknown.status} ${await unknown.text()}`, '400 scenario: there is no scenario "none"\n', target);
    const known = await ask('less');
    t.is(known.status, 200, target);
    t.notRegex(known.headers.get('Cache-Control') ?? '', /max-age=[1-9]/, target);
    await known.arrayBuffer();
  }
});

test('files written by others are read, and damaged ones are reported', async (t) => {
  const { app, directory, putOne, plan } = await setUp(t);
  const { routeId } = firstRide(await plan());
  await putOne('a', { type: 'remove-trip', routeId });
  await writeFile(path.join(directory, 'Graph.scenarios', 'b.json'), '{ modifications: [ // none\n ] }');
  await writeFile(path.join(directory, 'Graph.scenarios', 'c.json'), '{');
  const listed = await app.json('/routers/r/scenarios');
  t.is(listed.b, 'no description provided');
  t.regex(listed.c, /^unusable: /);
  t.is(firstRide(await plan('&scenario=b')).routeId, routeId);
  await writeFile(path.join(directory, 'Graph.scenarios', 'a.json'), '{"modifications":[]}');
  t.is(firstRide(await plan('&scenario=a')).routeId, routeId);
});

test('writing needs the role', async (t) => {
  const { app } = await setUp(t, { insecure: false });
  const body = '{"modifications":[]}';
  const headers = { 'Content-Type': 'application/json' };
  t.is((await app.request('/routers/r/scenarios/a', { method: 'PUT', headers, body })).status, 401);
  t.is((await app.request('/routers/r/scenarios/a', { method: 'DELETE' })).status, 401);
  t.is((await app.get('/routers/r/scenarios')).status, 200);
});

test('many searches at once over more scenarios than are kept see their own schedules', async (t) => {
  const { putOne, plan } = await setUp(t, { maxQueuedSearches: 100, maxQueueWaitMs: 60_000 });
  const before = firstRide(await plan());
  for (let i = 0; i < 6; i += 1) {
    const even = { type: 'remove-trip', routeId: before.routeId };
    const odd = { type: 'adjust-dwell-time', routeId: before.routeId, dwellTime: i };
    await putOne(`s${i}`, i % 2 === 0 ? even : odd);
  }
  const answers = await Promise.all(
    Array.from({ length: 36 }, async (_, i) => {
      const scenario = i % 7;
      return { scenario, answer: await plan(scenario === 6 ? '' : `&scenario=s${scenario}`) };
    }),
  );
  for (const { scenario, answer } of answers) {
    const used = rides(answer).map((leg: any) => leg.routeId);
    if (scenario < 6 && scenario % 2 === 0) t.false(used.includes(before.routeId));
    else t.true(used.includes(before.routeId));
  }
});

test('the body of a scenario may be compressed, without a type, or broken', async (t) => {
  const { app } = await setUp(t);
  const send = (body: Uint8Array, headers: Record<string, string>) =>
    app.request('/routers/r/scenarios/sent', { method: 'PUT', headers, body });
  const text = JSON.stringify({ modifications: [] });
  t.is((await send(Buffer.from(text), {})).status, 201);
  t.is((await send(gzipSync(text), { 'Content-Encoding': 'gzip' })).status, 200);
  const bomb = gzipSync(' '.repeat(5_000_000));
  t.is((await send(bomb, { 'Content-Encoding': 'gzip' })).status, 413);
  for (const encoding of ['gzip', 'deflate', 'br']) {
    t.is((await send(Buffer.from(text), { 'Content-Encoding': encoding })).status, 400, encoding);
  }
  // Names of encodings may have any case, and gzip an old one.
  for (const encoding of ['GZIP', 'x-gzip']) {
    t.is((await send(gzipSync(text), { 'Content-Encoding': encoding })).status, 200, encoding);
  }
  t.is((await send(gzipSync(text), { 'Content-Encoding': 'gzip, gzip' })).status, 415);
  t.is((await send(Buffer.from(text), { 'Content-Encoding': 'wood' })).status, 415);
});
