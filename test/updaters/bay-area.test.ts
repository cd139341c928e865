/** Recorded feeds of the Bay Area: every matched trip is late by as much as its message says. */

import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { loadAddon } from '../../src/native/addon.js';
import { hasShared, SHARED } from '../support/needs.js';
import { type ReadEvent, type ReadTrip, readTripUpdates } from '../support/read-trip-updates.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp, type TestApp } from '../support/test-app.js';

const DATA = path.join(SHARED, 'data', 'bayarea_rt');
const recorded = hasShared('data', 'bayarea_rt') ? test : test.skip;

interface Recording {
  feed: string;
  updates: string;
  /** The day of the recording, epoch seconds. */
  now: number;
  received: number;
  unknown: number;
  /** Updates that contradict their own schedule: calls that it does not have, times that go back by minutes. */
  unusable: number;
  /** Times that are moved a little, because they are before those of the previous call. */
  moved: number;
}

/** Predictions of neighbouring calls may overlap by this much. */
const STRAIGHTENED_SEC = 120;

const RECORDINGS: readonly Recording[] = [
  {
    feed: 'ct.zip',
    updates: 'ct-trip-updates.pb',
    now: Date.UTC(2023, 10, 7, 20) / 1000,
    received: 19,
    unknown: 0,
    unusable: 0,
    moved: 0,
  },
  {
    feed: 'bart-rt.zip',
    updates: 'bart-trip-updates.pb',
    now: Date.UTC(2019, 7, 7, 20) / 1000,
    received: 91,
    unknown: 26,
    unusable: 1,
    moved: 0,
  },
  {
    feed: 'bart-rt.zip',
    updates: 'example.pb',
    now: Date.UTC(2019, 4, 28, 20) / 1000,
    received: 26,
    unknown: 0,
    unusable: 0,
    moved: 1,
  },
];

for (const { feed, updates, now, received, unknown, unusable, moved } of RECORDINGS) {
  recorded(`${updates}: all known trips are applied exactly, the unknown ones counted`, async (t) => {
    const directory = await temporaryDirectory(t);
    await copyFile(path.join(DATA, feed), path.join(directory, feed));
    const { Graph } = await loadAddon();
    const graph = await Graph.open((await Graph.build(directory)).path);
    const bytes = await readFile(path.join(DATA, updates));
    const report = await graph.applyTripUpdates(bytes, { now });
    t.log(JSON.stringify({ ...report, issues: report.issues.slice(0, 3) }));
    t.is(report.received, received);
    const notMatched = new Set(['unknown-trip', 'added-trip-without-route']);
    t.is(report.issues.filter(({ code }) => notMatched.has(code)).length, unknown);
    t.is(report.updated + report.canceled + report.modified + report.rejected, received);
    t.is(report.rejected, unknown + unusable);

    const app = await startApp(t, [{ id: 'r', graph }]);
    const shown = await shownCalls(app, localDate(now));
    const trips = readTripUpdates(bytes).filter(({ tripId }) => shown.has(`${tripId}`));
    t.is(trips.length, received - unknown - unusable);
    const differences = trips.flatMap((trip) => differencesOf(trip, shown.get(`${trip.tripId}`) ?? []));
    t.log(`${trips.flatMap(({ calls }) => calls).length} calls, ${differences.length} moved`);
    t.is(differences.length, moved);
    t.deepEqual(
      differences.filter((seconds) => Math.abs(seconds) > STRAIGHTENED_SEC),
      [],
    );
  });
}

/** Calls of trips with live times, from stop times, by trip. */
async function shownCalls(app: TestApp, date: string): Promise<Map<string, any[]>> {
  const byTrip = new Map<string, any[]>();
  for (const { id } of await app.json('/routers/r/index/stops')) {
    const rows = await app.json(`/routers/r/index/stops/${encodeURIComponent(id)}/stoptimes/${date}`);
    for (const shown of rows.flatMap((row: any) => row.times).filter((time: any) => time.realtime)) {
      const trip = shown.tripId.slice(shown.tripId.indexOf(':') + 1);
      byTrip.set(trip, [...(byTrip.get(trip) ?? []), shown]);
    }
  }
  return byTrip;
}

/** The difference in seconds of each displayed time from that of the message. */
function differencesOf({ calls }: ReadTrip, shown: readonly any[]): number[] {
  return calls
    .filter(({ relationship = 0 }) => relationship === 0)
    .flatMap((call) => {
      const found = shown.find(({ stopId }) => stopId.slice(stopId.indexOf(':') + 1) === call.stopId);
      if (found === undefined) return [Number.NaN];
      const arrival = off(call.arrival, found, 'Arrival');
      return [arrival, off(call.departure, found, 'Departure')].filter((seconds) => seconds !== 0);
    });
}

function off(event: ReadEvent | undefined, shown: any, kind: 'Arrival' | 'Departure'): number {
  if (event === undefined) return 0;
  if (event.time) return shown.serviceDay + shown[`realtime${kind}`] - event.time;
  return shown[`${kind.toLowerCase()}Delay`] - (event.delay ?? 0);
}

/** The day of an epoch second where the feeds are. */
function localDate(epoch: number): string {
  const day = new Date(epoch * 1000).toLocaleDateString('en-CA', { timeZone: 'America/Los_Angeles' });
  return day.replaceAll('-', '');
}
