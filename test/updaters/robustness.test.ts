/** What updaters do when sources fail, are slow, send too much, or send an earlier message. */

import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import type { NamedContent, SharedFeeds } from '../../src/sharing/shared-feeds.js';
import { AddressRule } from '../../src/updaters/feed-address.js';
import { FeedClock, OutdatedMessage } from '../../src/updaters/feed-clock.js';
import { messageTime } from '../../src/updaters/message-time.js';
import { Outcomes } from '../../src/updaters/outcomes.js';
import { nextPause } from '../../src/updaters/polling-updater.js';
import { RemoteFile } from '../../src/updaters/remote-file.js';
import { sharedGraph } from '../support/built-graph.js';
import { tripUpdates } from '../support/realtime-feed.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { type Answer, startSource, tagged } from '../support/source-server.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const MONDAY = '20240108';
const LATE = [{ trip: 'T#1', date: MONDAY, delays: { 1: 60 } }];

let feed: Awaited<ReturnType<typeof buildSmallFeed>>;
test.beforeEach(async () => {
  feed = await buildSmallFeed();
});
test.afterEach.always(() => feed?.remove());

async function serve(t: ExecutionContext, url: string, settings: Record<string, unknown> = {}) {
  const updater = {
    type: 'stop-time-updater',
    sourceType: 'gtfs-http',
    feedId: '1',
    frequencySec: 0.03,
    purgeExpiredData: false,
    url,
    ...settings,
  };
  const config = { updaters: [updater] as never };
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(feed.graph), config }]);
  t.teardown(() => app.deps.registry.evictAll());
  const status = async () => (await app.json('/routers/r/updaters/status')).updaters[0];
  const delay = async () => {
    const rows = await app.json(`/routers/r/index/stops/${encodeURIComponent('1:b 2')}/stoptimes/${MONDAY}`);
    const calls = rows.flatMap((row: any) => row.times);
    return calls.find((call: any) => call.tripId === '1:T#1').departureDelay;
  };
  const figure = async (name: string) => {
    const text = await (await fetch(`${app.base.replace('/otp', '')}/metrics`)).text();
    return Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  return { status, delay, figure };
}

const good = () => tripUpdates(LATE);
const BROKEN: Readonly<Record<string, Answer>> = {
  'a truncated message': good().subarray(0, good().length - 3),
  'a page instead of a message': '<!doctype html><title>Bad gateway</title>',
  'status 500': (_, response) => response.writeHead(500).end(good()),
  'a connection that breaks': (request) => request.socket.destroy(),
};

for (const [what, answer] of Object.entries(BROKEN)) {
  test.serial(`${what}: the old data stays, the failure is reported and measured`, async (t) => {
    const source = await startSource(t, { '/rt': good() });
    const { status, delay, figure } = await serve(t, `${source.url}/rt`);
    await until(async () => (await status()).lastSuccess !== undefined);
    source.answers['/rt'] = answer;
    await until(async () => (await status()).failures > 0);
    t.is(await delay(), 60);
    t.truthy((await status()).lastError.message);
    t.false((await status()).stale);
    t.true((await figure('trestle_updater_failures')) > 0);
    t.true((await figure('trestle_updater_age_seconds')) >= 0);
    source.answers['/rt'] = good();
    await until(async () => (await status()).lastError === undefined);
    t.is((await status()).lastError, undefined);
  });
}

test.serial('a source that has never answered has an age, so that somebody hears of it', async (t) => {
  const source = await startSource(t, { '/rt': BROKEN['status 500'] ?? '' });
  const { status, figure } = await serve(t, `${source.url}/rt`);
  await until(async () => (await status()).failures > 0);
  t.is((await status()).lastSuccess, undefined);
  const age = await figure('trestle_updater_age_seconds');
  t.true(age >= 0 && age < 60, String(age));
});

test.serial('data of a source that fails for long is dropped', async (t) => {
  const source = await startSource(t, { '/rt': good() });
  const { status, delay, figure } = await serve(t, `${source.url}/rt`, { staleAfterSec: 1 });
  await until(async () => (await delay()) === 60);
  delete source.answers['/rt'];
  await until(async () => (await status()).stale);
  t.is(await delay(), 0);
  t.is(await figure('trestle_updater_stale'), 1);
  source.answers['/rt'] = good();
  await until(async () => !(await status()).stale);
  t.is(await delay(), 60);
});

test.serial('data that was dropped comes back, although its source has not changed', async (t) => {
  const source = await startSource(t, { '/rt': tagged(good()) });
  const { status, delay } = await serve(t, `${source.url}/rt`, { staleAfterSec: 1 });
  await until(async () => (await delay()) === 60);
  const { answers } = source;
  delete answers['/rt'];
  await until(async () => (await status()).stale);
  t.is(await delay(), 0);
  answers['/rt'] = tagged(good());
  await until(async () => !(await status()).stale);
  t.is(await delay(), 60);
  t.is((await status()).counts.updated, 1);
});

test.serial('after data was dropped, an older message is used', async (t) => {
  const made = (at: number, delay: number) =>
    tripUpdates([{ trip: 'T#1', date: MONDAY, delays: { 1: delay } }], false, at);
  const source = await startSource(t, { '/rt': made(1_700_000_000, 60) });
  const { status, delay } = await serve(t, `${source.url}/rt`, { staleAfterSec: 1 });
  await until(async () => (await delay()) === 60);
  delete source.answers['/rt'];
  await until(async () => (await status()).stale);
  source.answers['/rt'] = made(1_700_000_000 - 1, 90);
  await until(async () => !(await status()).stale);
  t.is(await delay(), 90);
});

test.serial('a message that is older than the one in use is not used, unless the clock was set back', async (t) => {
  const now = 1_700_000_000;
  const made = (at: number, delay: number) =>
    tripUpdates([{ trip: 'T#1', date: MONDAY, delays: { 1: delay } }], false, at);
  const source = await startSource(t, { '/rt': made(now, 60) });
  const { status, delay } = await serve(t, `${source.url}/rt`);
  // Searches see the data a moment before the status tells of it.
  await until(async () => (await status()).dataTimestamp === now * 1000);
  t.is(await delay(), 60);
  source.answers['/rt'] = made(now - 30, 90);
  await until(async () => (await status()).failures > 0);
  t.regex((await status()).lastError.message, /30 s older/);
  t.is(await delay(), 60);
  source.answers['/rt'] = made(now - 7200, 120);
  await until(async () => (await delay()) === 120);
  t.is(await delay(), 120);
});

test.serial('the time of a message is read from its header', (t) => {
  t.is(messageTime(tripUpdates(LATE, false, 1234)), 1234);
  t.is(messageTime(tripUpdates(LATE)), undefined);
  t.is(messageTime(new TextEncoder().encode('<html>')), undefined);
  const clock = new FeedClock(60);
  clock.advance(1000);
  t.throws(() => clock.check(999), { instanceOf: OutdatedMessage });
  t.notThrows(() => clock.check(900));
});

test.serial(
  'an earlier content of the source counts as new after another one came from the process that fetches for all',
  async (t) => {
    const source = await startSource(t, { '/rt': tagged('calm') });
    const answers: Array<'alone' | NamedContent> = ['alone', { digest: 'd', bytes: Buffer.from('storm') }, 'alone'];
    const shared: SharedFeeds = { fetch: async () => answers.shift() };
    const file = new RemoteFile({
      location: `${source.url}/rt`,
      directory: '.',
      rule: new AddressRule(),
      chosenBy: 'operator',
      shared,
      periodMs: 1000,
    });
    const contents = [];
    while (answers.length > 0) contents.push(Buffer.from((await file.fetch()) ?? []).toString());
    t.deepEqual(contents, ['calm', 'storm', 'calm']);
  },
);

test.serial('a fetch ends when its time is up, and as soon as there is too much', async (t) => {
  const endless: Answer = (_, response) => {
    const more = setInterval(() => response.write(Buffer.alloc(1000)), 1);
    response.on('close', () => clearInterval(more));
  };
  const source = await startSource(t, { '/silent': () => {}, '/endless': endless });
  const file = (path: string, timeoutMs: number) =>
    new RemoteFile({
      location: source.url + path,
      directory: '.',
      rule: new AddressRule(),
      chosenBy: 'operator',
      timeoutMs,
      maxBytes: 5000,
    });
  await t.throwsAsync(file('/silent', 100).fetch(), { message: /no answer in time/ });
  await t.throwsAsync(file('/endless', 60_000).fetch(), { message: /larger than 5000 bytes/ });
});

test.serial('pauses grow with the failures, but an interval that is longer than the longest pause stays', (t) => {
  t.is(nextPause(1000, 0), 1000);
  t.true(nextPause(1000, 40) >= 450_000);
  t.true(nextPause(3_600_000, 1) >= 2_700_000);
});

/** Data is old as soon as the clock has moved on. */
const AT_ONCE = 1e-9;

test.serial('a failure to drop data is reported, and the updater continues', async (t) => {
  const rule = { description: 'x', staleAfterSec: AT_ONCE, drop: () => Promise.reject(new Error('busy')) };
  const outcomes = new Outcomes(rule, pino({ level: 'silent' }));
  outcomes.succeeded({ counts: { stations: 3 } });
  await outcomes.failed('gone');
  t.like(outcomes.status, { stale: true, failures: 1, counts: {} });
});

test.serial('data is called stale when it has been dropped, not before', async (t) => {
  let dropped = () => {};
  const drop = () => new Promise<void>((resolve) => (dropped = resolve));
  const outcomes = new Outcomes({ description: 'x', staleAfterSec: AT_ONCE, drop }, pino({ level: 'silent' }));
  outcomes.succeeded({ counts: { stations: 3 } });
  const failed = outcomes.failed('gone');
  t.like(outcomes.status, { stale: false, counts: { stations: 3 } });
  dropped();
  await failed;
  t.like(outcomes.status, { stale: true, counts: {} });
});
