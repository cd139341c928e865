/** Trip updates from a real server in the stop times of a real graph. */

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { sharedGraph } from '../support/built-graph.js';
import { detours, tripUpdates } from '../support/realtime-feed.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

let feed: Awaited<ReturnType<typeof buildSmallFeed>>;
test.beforeEach(async () => {
  feed = await buildSmallFeed();
});
test.afterEach.always(() => feed?.remove());

const MONDAY = '20240108';

async function sourceServer(t: ExecutionContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/updates.pb`;
}

async function serve(t: ExecutionContext, url: string) {
  const updater = {
    type: 'stop-time-updater',
    sourceType: 'gtfs-http',
    feedId: '1',
    frequencySec: 0.05,
    purgeExpiredData: false,
    url,
  };
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(feed.graph), config: { updaters: [updater] } }]);
  t.teardown(() => app.deps.registry.evictAll());
  const status = async () => (await app.json('/routers/r/updaters/status')).updaters[0];
  const times = async () => {
    const rows = await app.json(`/routers/r/index/stops/${encodeURIComponent('1:b 2')}/stoptimes/${MONDAY}`);
    return Object.fromEntries(rows.flatMap((row: any) => row.times).map((call: any) => [call.tripId, call]));
  };
  return { app, status, times };
}

test.serial('delays and cancellations show in stop times', async (t) => {
  const bytes = tripUpdates([
    { trip: 'T#1', date: MONDAY, delays: { 2: 90 } },
    { trip: 'T 2', date: MONDAY, canceled: true },
    { trip: 'nowhere', date: MONDAY, canceled: true },
  ]);
  const url = await sourceServer(t, (_, response) => response.end(bytes));
  const { app, status, times } = await serve(t, url);
  await until(async () => (await status()).runs > 0 && (await status()).lastSuccess !== undefined);
  t.like((await status()).counts, { received: 3, updated: 1, canceled: 1, rejected: 1 });
  const calls = await times();
  t.like(calls['1:T#1'], { realtime: true, realtimeState: 'UPDATED', departureDelay: 90, realtimeDeparture: 29550 });
  t.like(calls['1:T 2'], { realtimeState: 'CANCELED', realtimeDeparture: -1 });
  t.regex((await app.json('/routers/r/updaters'))['0'], /GtfsRealtimeHttpUpdateStreamer\(http/);
});

test.serial('broken answers keep the old data and are reported; the next full message replaces it', async (t) => {
  const good = tripUpdates([{ trip: 'T#1', date: MONDAY, delays: { 1: 60 } }]);
  const later = tripUpdates([{ trip: 'T 2', date: MONDAY, delays: { 1: 30 } }]);
  let phase: 'good' | 'truncated' | 'failing' | 'later' = 'good';
  const url = await sourceServer(t, (_, response) => {
    response.statusCode = phase === 'failing' ? 500 : 200;
    response.end(phase === 'truncated' ? good.subarray(0, good.length - 3) : phase === 'later' ? later : good);
  });
  const { status, times } = await serve(t, url);
  await until(async () => (await status()).lastSuccess !== undefined);
  // The last answer of the phase before may still be on its way, so the number of failures does not tell which this is.
  for (const [broken, message] of [
    ['truncated', /GTFS-Realtime/],
    ['failing', /status 500/],
  ] as const) {
    phase = broken;
    await until(async () => message.test((await status()).lastError?.message));
    t.is((await times())['1:T#1'].departureDelay, 60);
  }
  phase = 'later';
  await until(async () => (await status()).lastError === undefined);
  const calls = await times();
  t.is(calls['1:T#1'].realtimeState, 'SCHEDULED');
  t.is(calls['1:T 2'].departureDelay, 30);
});

test.serial('a source that has not changed is not read again', async (t) => {
  let unchanged = 0;
  const bytes = tripUpdates([{ trip: 'T#1', date: MONDAY, delays: { 1: 60 } }]);
  const url = await sourceServer(t, (request, response) => {
    if (request.headers['if-none-match'] !== '"1"') return response.setHeader('ETag', '"1"').end(bytes);
    unchanged += 1;
    response.statusCode = 304;
    return response.end();
  });
  const { times, status } = await serve(t, url);
  await until(() => unchanged > 1);
  t.is((await times())['1:T#1'].departureDelay, 60);
  t.is((await status()).failures, 0);
});

test.serial('several updaters of a feed keep the data of each other', async (t) => {
  let areTogether = true;
  const source = (trip: string, delay: number): RequestListener => {
    const bytes = tripUpdates([{ trip, date: MONDAY, delays: { 1: delay } }]);
    return (_, response) => {
      if (trip === 'T 2' && !areTogether) response.statusCode = 500;
      response.end(bytes);
    };
  };
  const urls = [await sourceServer(t, source('T#1', 60)), await sourceServer(t, source('T 2', 30))];
  const settings = { type: 'stop-time-updater', sourceType: 'gtfs-http', feedId: '1', frequencySec: 0.05 };
  const updaters = urls.map((url) => ({ ...settings, url, purgeExpiredData: false, staleAfterSec: 0.5 }));
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(feed.graph), config: { updaters } }]);
  t.teardown(() => app.deps.registry.evictAll());
  const states = async () => (await app.json('/routers/r/updaters/status')).updaters;
  const delays = async () => {
    const rows = await app.json(`/routers/r/index/stops/${encodeURIComponent('1:b 2')}/stoptimes/${MONDAY}`);
    const calls = new Map(rows.flatMap((row: any) => row.times).map((call: any) => [call.tripId, call.departureDelay]));
    return ['1:T#1', '1:T 2'].map((trip) => calls.get(trip));
  };
  await until(async () => (await states()).every(({ lastSuccess }: any) => lastSuccess !== undefined));
  for (let count = 0; count < 20; count += 1) t.deepEqual(await delays(), [60, 30]);
  areTogether = false;
  await until(async () => (await states())[1].stale);
  t.deepEqual(await delays(), [60, 0], 'only the data of the source that fails is dropped');
});

test.serial('differential messages add to what is known', async (t) => {
  const options = { feedId: '1', purgeExpiredData: false };
  await feed.graph.applyTripUpdates(tripUpdates([{ trip: 'T#1', date: MONDAY, delays: { 1: 60 } }]), options);
  const more = tripUpdates([{ trip: 'T 2', date: MONDAY, delays: { 1: 30 } }], true);
  await feed.graph.applyTripUpdates(more, options);
  const { times } = await serve(t, await sourceServer(t, (_, response) => response.writeHead(404).end()));
  const calls = await times();
  t.is(calls['1:T#1'].departureDelay, 60);
  t.is(calls['1:T 2'].departureDelay, 30);
});

test.serial('a trip that live data added can be cancelled', async (t) => {
  const options = { feedId: '1', purgeExpiredData: false };
  const midnight = Date.UTC(2024, 0, 8) / 1000;
  const calls = [
    ['a:1', midnight + 30_000],
    ['b 2', midnight + 30_600],
  ] as const;
  const extra = (trip: string) => ({ trip, route: 'R:1', date: MONDAY, calls });
  await feed.graph.applyTripUpdates(tripUpdates([extra('X 1'), extra('X 2')]), options);
  const cancelled = tripUpdates([{ trip: 'X 1', date: MONDAY, canceled: true }], true);
  t.like(await feed.graph.applyTripUpdates(cancelled, options), { canceled: 1, rejected: 0 });
  const { times } = await serve(t, await sourceServer(t, (_, response) => response.writeHead(404).end()));
  t.deepEqual(
    Object.keys(await times()).filter((id) => id.startsWith('1:X')),
    ['1:X 2'],
  );
  const elsewhere = tripUpdates([{ trip: 'X 2', date: '20240109', canceled: true }], true);
  t.like(await feed.graph.applyTripUpdates(elsewhere, options), { canceled: 0, rejected: 1 });
});

test.serial('a deleted trip is not shown', async (t) => {
  const options = { feedId: '1', purgeExpiredData: false };
  const bytes = tripUpdates([{ trip: 'T 2', date: MONDAY, deleted: true }]);
  t.like(await feed.graph.applyTripUpdates(bytes, options), { canceled: 1, rejected: 0 });
  const { app, times } = await serve(t, await sourceServer(t, (_, response) => response.writeHead(404).end()));
  t.deepEqual(Object.keys(await times()), ['1:T#1']);
  const next = `/routers/r/index/stops/${encodeURIComponent('1:b 2')}/stoptimes?startTime=${Date.UTC(2024, 0, 8, 8) / 1000}`;
  const coming = (await app.json(next)).flatMap((row: any) => row.times).map((call: any) => call.tripId);
  t.deepEqual([...new Set(coming)], ['1:T#1']);
  const plan = '/routers/r/plan?fromPlace=1:a:1&toPlace=1:%C3%A7%25&date=2024-01-08&time=08:30&mode=TRANSIT,WALK';
  t.notRegex(JSON.stringify(await app.json(plan)), /"tripId":"1:T 2","serviceDate":"20240108"/);
});

test.serial('past days are forgotten', async (t) => {
  const now = Date.UTC(2024, 0, 11, 12) / 1000;
  const bytes = tripUpdates([{ trip: 'T#1', date: MONDAY, delays: { 1: 60 } }]);
  t.like(await feed.graph.applyTripUpdates(bytes, { feedId: '1', now }), { updated: 1, expired: 1 });
  t.like(await feed.graph.applyTripUpdates(bytes, { feedId: '1', now: now - 86_400 }), { updated: 1, expired: 0 });
});

test.serial('the status warns of entities that are not read', async (t) => {
  let bytes = detours(2);
  const url = await sourceServer(t, (_, response) => response.end(bytes));
  const { status } = await serve(t, url);
  await until(async () => (await status()).lastSuccess !== undefined);
  t.like(await status(), {
    warning: 'entities that are not read: 2 TripModifications',
    counts: { received: 0, rejected: 0 },
  });
  bytes = tripUpdates([{ trip: 'T#1', date: MONDAY, delays: { 2: 90 } }]);
  await until(async () => (await status()).counts.updated === 1);
  t.is((await status()).warning, undefined);
});
