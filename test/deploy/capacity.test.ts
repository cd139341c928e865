/** The capacity model: its page has the figures of the data, and the simulation repeats what was measured. */

import { readFile } from 'node:fs/promises';
import test from 'ava';

const script = (name: string) => import(new URL(`../../../scripts/capacity/${name}.mjs`, import.meta.url).href);
const file = (name: string) => readFile(new URL(`../../../docs/deploy/${name}`, import.meta.url), 'utf8');

test('the page has the figures that follow from the data', async (t) => {
  const { pageOf } = await script('page');
  const text = await file('capacity.md');
  t.is(await pageOf(text, JSON.parse(await file('capacity.json'))), text, 'node scripts/measure-capacity.mjs --page');
});

test('the simulation repeats the measured points', async (t) => {
  const { repeatPoints } = await script('model');
  const data = JSON.parse(await file('capacity.json'));
  t.true(data.points.length >= 6);
  for (const { measured, said, isNear } of await repeatPoints(data)) {
    t.true(isNear, `measured ${JSON.stringify(measured)}, simulated ${JSON.stringify(said)}`);
  }
});

test('the cost of an origin tells what a matrix takes that it was not taken from', async (t) => {
  const { matrixSeconds } = await script('model');
  const data = JSON.parse(await file('capacity.json'));
  const [, , other] = data.jobs;
  const said = matrixSeconds(data, other);
  t.true(Math.abs(said - other.seconds) < 0.25 * other.seconds, `${said} s, measured ${other.seconds} s`);
});

test('simulated servers wait as queues do', async (t) => {
  const { simulate } = await script('simulate');
  // One server whose searches take the same time: with a load of one half, a request waits for a quarter of a search on
  // average (Pollaczek and Khinchin: load / (2 × (1 − load)) searches, here one half).
  const fixed = { servers: 1, threads: 1, processors: 2, rate: 50, requests: 20_000, service: [10], slowdown: 0 };
  const { p50, perSecond, refused } = await simulate(fixed);
  t.true(p50 >= 10 && p50 < 16);
  t.true(Math.abs(perSecond - 50) < 2);
  t.is(refused, 0);
  const full = await simulate({ ...fixed, rate: 200 });
  // Admission leaves a server idle for a moment now and then, so that nobody waits for long.
  t.true(full.perSecond <= 100 && full.perSecond > 90);
  t.true(Math.abs(full.refused - 0.5) < 0.05);
  const two = await simulate({ ...fixed, servers: 2, rate: 150 });
  t.true(Math.abs(two.perSecond - 150) < 4 && two.refused < 0.01);
});
