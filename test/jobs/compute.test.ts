/** What jobs compute: the same as single searches, however the work is divided. */

import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { PointSet } from '../../src/analysis/point-set.js';
import { computePart, type OpenJob } from '../../src/jobs/compute.js';
import { FolderFiles } from '../../src/jobs/folder-files.js';
import { partOf } from '../../src/jobs/job.js';
import type { NewJob } from '../../src/jobs/jobs.js';
import { LocalJobs } from '../../src/jobs/local-jobs.js';
import { PartMaker } from '../../src/jobs/part-maker.js';
import type { JobStatus } from '../../src/jobs/status.js';
import { TableWriter } from '../../src/jobs/table-writer.js';
import { loadAddon } from '../../src/native/addon.js';
import type { Surface } from '../../src/native/types.js';
import { builtBefore, isDisposed, listingSurfaces } from '../support/built-graph.js';
import { hashesOf, jobOver, placesOver, rowsOf } from '../support/job-town.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const EIGHT = Date.parse('2026-11-23T08:00:00+01:00') / 1000;

const town = builtBefore(test, buildSampleTown);

/** Computes a job in this process; the folder of its result and its last status. */
async function compute(
  t: ExecutionContext,
  made: NewJob,
  parallel = 2,
): Promise<{ folder: string; status: JobStatus }> {
  const folder = path.join(await temporaryDirectory(t), 'job');
  const files = new FolderFiles(folder);
  const { Graph } = await loadAddon();
  const status = await new Promise<JobStatus>((onEnd, onError) => {
    const jobs = new LocalJobs({
      place: { ids: async () => [], files: async () => files, remove: async () => {} },
      maker: new PartMaker({ open: () => Graph.open(town.file) }),
      parallel,
      onEnd,
      onError,
    });
    t.teardown(() => jobs.close());
    jobs.submit(made).catch(onError);
  });
  return { folder, status };
}

test('a matrix has the seconds of a single search', async (t) => {
  const [origins, destinations] = [placesOver(town, 4), placesOver(town, 5)];
  const { folder, status } = await compute(
    t,
    await jobOver(town, { kind: 'matrix', origins, destinations, partOrigins: 3 }),
  );
  t.like(status, { parts: 6, originsDone: 16, progress: { state: 'complete', partsDone: 6, failures: [] } });
  const expected = await town.graph.matrix(
    { from: {}, to: {}, epochSeconds: EIGHT, modes: ['TRANSIT', 'WALK'], maxWalkDistance: 2000 },
    {
      origins: Float64Array.from(origins.flat()),
      destinations: Float64Array.from(destinations.flat()),
      maxSeconds: 7200,
    },
  );
  const rows = await rowsOf(folder);
  t.is(rows.length, 16 * 25);
  for (const [i, row] of rows.entries()) {
    const seconds = expected[i] === 2 ** 31 - 1 ? null : expected[i];
    t.like(row, { origin: Math.floor(i / 25), scenario: '', destination: i % 25, seconds });
  }
  t.true(rows.some(({ seconds }) => Number(seconds) > 300));
});

test('isochrones are those of the resource, and null off the map', async (t) => {
  const origins = [...placesOver(town, 2), [0, 0]];
  const made = await jobOver(town, { kind: 'isochrones', origins, cutoffSec: [1200, 600], partOrigins: 2 });
  const { folder } = await compute(t, made);
  const rows = await rowsOf(folder);
  t.deepEqual(rows.map(({ origin, cutoff }) => [origin, cutoff]).slice(0, 3), [
    [0, 600],
    [0, 1200],
    [1, 600],
  ]);
  t.deepEqual(
    rows.slice(-2).map(({ geometry }) => geometry),
    [null, null],
  );
  const [lat, lon] = origins[1] ?? [];
  const [contour] = await town.graph.isochrone(
    { from: { lat: Number(lat), lon: Number(lon) }, to: {}, epochSeconds: EIGHT, modes: ['TRANSIT', 'WALK'] },
    { area: { maxSeconds: 1200, precisionM: 200, offRoadM: 150 }, cutoffs: [600], decimals: 6 },
  );
  t.deepEqual(rows[2]?.geometry, { type: 'MultiPolygon', coordinates: JSON.parse(String(contour?.json)) });
});

/** Every fifth place has a school, and jobs are where numbers are high. */
function amounts(origins: readonly (readonly number[])[]): PointSet {
  const column = (value: (i: number) => number) => ({
    style: {},
    amounts: Int32Array.from(origins, (_, i) => value(i)),
  });
  return {
    size: origins.length,
    positions: Float64Array.from(origins.flat()),
    properties: new Map([
      ['schools', column((i) => (i % 5 === 0 ? 1 : 0))],
      ['jobs', column((i) => 2_000_000_000 - i)],
    ]),
  };
}

test('accessibility adds up reached amounts, by scenario and percentile', async (t) => {
  const places = placesOver(town, 6);
  const set = amounts(places);
  const [route] = town.graph.routesSync(town.graph.list('routes'));
  const without = JSON.stringify({
    modifications: [{ type: 'remove-trip', routeId: [route?.id] }],
  });
  const made = await jobOver(
    town,
    {
      kind: 'accessibility',
      origins: places.slice(12, 15),
      destinations: 'set',
      cutoffMinutes: [10, 25],
      window: 30,
      percentiles: ['5', 50],
      scenarios: ['', 'without'],
      partOrigins: 2,
    },
    { sets: { set }, scenarios: { without } },
  );
  const { folder } = await compute(t, made);
  const rows = await rowsOf(folder);
  t.is(rows.length, 3 * 2 * 2 * 2 * 3);
  const [lat, lon] = places[13] ?? [];
  const request = { from: { lat: Number(lat), lon: Number(lon) }, to: {}, epochSeconds: EIGHT };
  const window = { cutoffSeconds: 1500, windowSeconds: 1800, stepSeconds: 60, statistics: ['5', '50'] };
  const surfaces = await town.graph.windowSurfaces({ ...request, modes: ['TRANSIT', 'WALK'] }, window);
  const points = await surfaces[0]?.linkPoints(set.positions);
  if (points === undefined) return t.fail();
  for (const [i, percentile] of ['5', '50'].entries()) {
    const seconds = (await surfaces[i]?.timesTo(points)) ?? new Int32Array();
    for (const cutoff of [10, 25]) {
      const reached = [...seconds].flatMap((time, at) => (time <= cutoff * 60 ? [at] : []));
      t.true(reached.length > 0);
      const sums = { count: reached.length, schools: 0, jobs: 0 };
      for (const at of reached) {
        sums.schools += set.properties.get('schools')?.amounts[at] ?? 0;
        sums.jobs += set.properties.get('jobs')?.amounts[at] ?? 0;
      }
      for (const [opportunity, amount] of Object.entries(sums)) {
        const of = { origin: 1, scenario: '', percentile, cutoff, opportunity };
        const found = rows.filter((row) => Object.entries(of).every(([name, value]) => row[name] === value));
        t.deepEqual(found, [{ ...of, amount: BigInt(amount) }]);
      }
    }
  }
  t.true(rows.some(({ scenario }) => scenario === 'without'));
});

test('a part that fails disposes of its surfaces', async (t) => {
  const [origins, destinations] = [placesOver(town, 1), placesOver(town, 3)];
  const window = { window: 30, percentiles: ['5', '50', '95'] };
  const { job } = await jobOver(town, { kind: 'accessibility', origins, destinations, cutoffMinutes: [10], ...window });
  const made: Surface[] = [];
  const positions = (places: readonly (readonly [number, number])[]) => Float64Array.from(places.flat());
  const open: OpenJob = {
    job,
    graphs: [listingSurfaces(town.graph, made)],
    origins: positions(origins),
    destinations: positions(destinations),
    linked: () => Promise.reject(new Error('no links')),
  };
  const tables = new TableWriter();
  t.teardown(() => tables.close());
  const failing = computePart(open, partOf(job, 0), (search) => search({}), tables);
  await t.throwsAsync(failing, { message: 'origin 0: no links' });
  t.deepEqual(made.map(isDisposed), [true, true, true]);
});

test('the result is the same for any number of threads, and rows for any size of parts', async (t) => {
  const [origins, destinations] = [placesOver(town, 5), placesOver(town, 3)];
  for (const kind of [
    { kind: 'matrix', destinations },
    { kind: 'isochrones', cutoffSec: [900] },
  ]) {
    const description = { ...kind, origins };
    const one = await compute(t, await jobOver(town, { ...description, partOrigins: 4 }), 1);
    const three = await compute(t, await jobOver(town, { ...description, partOrigins: 4 }), 3);
    t.deepEqual(await hashesOf(three.folder), await hashesOf(one.folder));
    const other = await compute(t, await jobOver(town, { ...description, partOrigins: 25 }));
    t.deepEqual(await rowsOf(other.folder), await rowsOf(one.folder));
  }
});

test('amounts of the destinations may be called count', async (t) => {
  const [place = [0, 0]] = placesOver(town, 1);
  const amounts = { style: {}, amounts: Int32Array.of(7) };
  const set: PointSet = { size: 1, positions: Float64Array.from(place), properties: new Map([['count', amounts]]) };
  const description = { kind: 'accessibility', origins: [place], destinations: 'shops', cutoffMinutes: [30] };
  const { folder } = await compute(t, await jobOver(town, description, { sets: { shops: set } }));
  const rows = await rowsOf(folder);
  t.deepEqual(
    rows.map(({ opportunity, amount }) => [opportunity, amount]),
    [['count', 7n]],
  );
});

test('a job that makes no sense is refused before it begins', async (t) => {
  const origins = placesOver(town, 2);
  const matrix = { kind: 'matrix', origins, destinations: origins };
  const access = { kind: 'accessibility', origins, destinations: origins, cutoffMinutes: [30] };
  for (const [description, message] of [
    [{}, /^kind: is required/],
    [{ ...matrix, kind: 'matrices' }, /^kind: expected one of/],
    [{ kind: 'matrix' }, /^origins: /],
    [{ ...matrix, destinations: [] }, /^destinations: is empty/],
    [{ ...matrix, destinations: 'nowhere' }, /^destinations: there is no point set "nowhere"/],
    [{ ...matrix, cutoffs: 3 }, /^cutoffs: unknown key/],
    [{ ...matrix, maxTimeSec: null }, /^maxTimeSec: is null\n$/],
    [{ ...matrix, routing: { mod: 'WALK' } }, /^routing\.mod: unknown key; did you mean "mode"/],
    [{ ...matrix, routing: { fromPlace: '1,2' } }, /^routing\.fromPlace: unknown key/],
    [{ ...matrix, scenarios: ['none'] }, /^scenarios: there is no scenario "none"/],
    [{ ...matrix, partOrigins: 0 }, /^partOrigins: expected/],
    [{ kind: 'isochrones', origins }, /^cutoffSec: expected 1 to 60 times/],
    [{ kind: 'isochrones', origins, destinations: origins, cutoffSec: [60] }, /^destinations: isochrones have none/],
    [{ ...access, window: 30, percentiles: ['half'] }, /^percentiles: "half"/],
    [{ ...access, window: 30, percentiles: [] }, /^percentiles: expected 1 to 20 values/],
    [{ ...access, opportunities: ['jobs'] }, /^opportunities: the destinations have no "jobs"/],
  ] as const) {
    const error = await t.throwsAsync(jobOver(town, description));
    t.regex(error?.message ?? '', message, JSON.stringify(description));
    t.is((error as { status?: number }).status, 400);
  }
});
