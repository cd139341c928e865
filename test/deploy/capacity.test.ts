/** The capacity model: its page has the figures of the data, and the simulation agrees with what was measured. */

import { readFile } from 'node:fs/promises';
import test from 'ava';

const script = (name: string) => import(new URL(`../../../scripts/capacity/${name}.mjs`, import.meta.url).href);
const file = (name: string) => readFile(new URL(`../../../docs/deploy/${name}`, import.meta.url), 'utf8');

test('the page has the figures that follow from the data', async (t) => {
  const { pageOf } = await script('page');
  const text = await file('capacity.md');
  t.is(await pageOf(text, JSON.parse(await file('capacity.json'))), text, 'node scripts/measure-capacity.mjs --page');
});

test('the simulation agrees with the measured points', async (t) => {
  const { simulatePoints } = await script('model');
  const data = JSON.parse(await file('capacity.json'));
  t.true(data.points.length >= 6);
  for (const { measured, simulated, isNear } of await simulatePoints(data)) {
    t.true(isNear, `measured ${JSON.stringify(measured)}, simulated ${JSON.stringify(simulated)}`);
  }
});

test('the cost of an origin, taken from other matrices, predicts the time of a matrix', async (t) => {
  const { matrixSeconds } = await script('model');
  const data = JSON.parse(await file('capacity.json'));
  const [, , other] = data.jobs;
  const seconds = matrixSeconds(data, other);
  t.true(Math.abs(seconds - other.seconds) < 0.25 * other.seconds, `${seconds} s, measured ${other.seconds} s`);
});

/** Servers whose searches take ten milliseconds each; nothing else takes time. */
const FREE = { answered: 0, refused: 0 };
const COSTS = { searches: [10], slowdown: 0, firstThread: FREE, client: FREE };
const LOAD = { servers: 1, threads: 1, processors: 2, rate: 50, requests: 20_000, costs: COSTS };

test('simulated servers wait as queues do', async (t) => {
  const { simulate } = await script('simulate');
  // One server whose searches take the same time: with a load of one half, a request waits for a quarter of a search on
  // average (Pollaczek and Khinchin: load / (2 × (1 − load)) searches, here one half).
  const { p50, perSecond, refused } = await simulate(LOAD);
  t.true(p50 >= 10 && p50 < 16);
  t.true(Math.abs(perSecond - 50) < 2);
  t.is(refused, 0);
  const full = await simulate({ ...LOAD, rate: 200 });
  // Admission leaves a server idle for a moment now and then, so that nobody waits for long.
  t.true(full.perSecond <= 100 && full.perSecond > 90);
  t.true(Math.abs(full.refused - 0.5) < 0.05);
  const two = await simulate({ ...LOAD, servers: 2, rate: 150 });
  t.true(Math.abs(two.perSecond - 150) < 4 && two.refused < 0.01);
});

test('refused requests take time from those that are answered', async (t) => {
  const { simulate } = await script('simulate');
  const full = { ...LOAD, processors: 1, rate: 300 };
  const free = await simulate(full);
  const each = (milliseconds: number) => ({ answered: milliseconds, refused: milliseconds });
  const paid = await simulate({ ...full, costs: { ...COSTS, firstThread: each(1), client: each(0.5) } });
  t.true(free.perSecond > 90);
  // The processor is never idle for long: each of 300 requests takes 1.5 ms, and an answered one 10 ms more.
  t.true(Math.abs(paid.perSecond - (1000 - 300 * 1.5) / 10) < 5, `${paid.perSecond} a second`);
});

test('the first thread of a server does one thing after the other', async (t) => {
  const { simulate } = await script('simulate');
  const costs = { ...COSTS, searches: [0.1], firstThread: { answered: 20, refused: 20 } };
  const load = { ...LOAD, threads: 8, processors: 8, rate: 80, requests: 2000, costs };
  const [one, two] = [await simulate(load), await simulate({ ...load, servers: 2 })];
  t.true(one.perSecond < 51 && two.perSecond > 75, `${one.perSecond} and ${two.perSecond} a second`);
});
