/** Recorded feeds of the Bay Area: every matched trip is late by what its message says. */

import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { loadAddon } from '../../src/native/addon.js';

const DATA = path.resolve('../shared/data/bayarea_rt');
const recorded = existsSync(DATA) ? test : test.skip;
if (!existsSync(DATA)) console.log('skipped: ../shared/data/bayarea_rt is not there');

interface Recording {
  feed: string;
  updates: string;
  /** The day of the recording, epoch seconds. */
  now: number;
  received: number;
  unknown: number;
  /** Updates that contradict their own schedule: calls that it does not have, times that go back by minutes. */
  unusable: number;
}

const RECORDINGS: readonly Recording[] = [
  {
    feed: 'ct.zip',
    updates: 'ct-trip-updates.pb',
    now: Date.UTC(2023, 10, 7, 20) / 1000,
    received: 19,
    unknown: 0,
    unusable: 0,
  },
  {
    feed: 'bart-rt.zip',
    updates: 'bart-trip-updates.pb',
    now: Date.UTC(2019, 7, 7, 20) / 1000,
    received: 91,
    unknown: 26,
    unusable: 9,
  },
  {
    feed: 'bart-rt.zip',
    updates: 'example.pb',
    now: Date.UTC(2019, 4, 28, 20) / 1000,
    received: 26,
    unknown: 0,
    unusable: 0,
  },
];

for (const { feed, updates, now, received, unknown, unusable } of RECORDINGS) {
  recorded(`${updates}: all known trips are applied, the unknown ones counted`, async (t) => {
    const directory = await mkdtemp(path.join(tmpdir(), 'trestle-bay-'));
    t.teardown(() => rm(directory, { recursive: true }));
    await copyFile(path.join(DATA, feed), path.join(directory, feed));
    const { Graph } = await loadAddon();
    const graph = await Graph.open((await Graph.build(directory)).path);
    const report = await graph.applyTripUpdates(await readFile(path.join(DATA, updates)), { now });
    t.log(JSON.stringify({ ...report, issues: report.issues.slice(0, 3) }));
    t.is(report.received, received);
    const notMatched = new Set(['unknown-trip', 'added-trip-without-route']);
    t.is(report.issues.filter(({ code }) => notMatched.has(code)).length, unknown);
    t.is(report.updated + report.canceled + report.modified + report.rejected, received);
    t.is(report.rejected, unknown + unusable);
    graph.dispose();
  });
}
