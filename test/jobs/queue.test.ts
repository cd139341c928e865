/** Jobs in a queue, with a real Redis and workers as processes. */

import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { FolderFiles } from '../../src/jobs/folder-files.js';
import type { Job } from '../../src/jobs/job.js';
import type { NewJob } from '../../src/jobs/jobs.js';
import { LocalJobs } from '../../src/jobs/local-jobs.js';
import { OpenJobs } from '../../src/jobs/open-jobs.js';
import type { JobStatus } from '../../src/jobs/status.js';
import { TableWriter } from '../../src/jobs/table-writer.js';
import { loadAddon } from '../../src/native/addon.js';
import { type BuiltGraph, sharedGraph } from '../support/built-graph.js';
import { hashesOf, jobOver, placesOver, ROUTING } from '../support/job-town.js';
import { endOf, graphsWith, openQueue, type QueuePlace, WorkerProcess } from '../support/job-workers.js';
import { HAS_REDIS, type RedisServer, startRedis } from '../support/redis-server.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const withRedis = HAS_REDIS ? test.serial : test.serial.skip;

let town: BuiltGraph;
test.before(async () => {
  town = await buildSampleTown();
});
test.after.always(() => town?.remove());

/** A queue with jobs in a folder, and workers that are not started yet. */
async function setUp(t: ExecutionContext, workers: number) {
  const redis = await startRedis(t);
  const place: QueuePlace = {
    redis: redis.url,
    jobs: await temporaryDirectory(t),
    graphs: await graphsWith(t, town),
  };
  const queue = await openQueue(t, place);
  return { redis, place, queue, workers: Array.from({ length: workers }, () => new WorkerProcess(t, place)) };
}

/** The result of the same job in this process alone. */
async function alone(t: ExecutionContext, made: NewJob): Promise<Record<string, string>> {
  const folder = path.join(await temporaryDirectory(t), 'alone');
  const { Graph } = await loadAddon();
  const tables = new TableWriter();
  const opened = new OpenJobs({ open: () => Graph.open(town.file) }, tables);
  await new Promise<JobStatus>((onEnd, onError) => {
    const jobs = new LocalJobs({
      place: { ids: async () => [], files: async () => new FolderFiles(folder), remove: async () => {} },
      maker: { opened, tables, run: (search) => search({}) },
      parallel: 1,
      onEnd,
      onError,
    });
    t.teardown(() => jobs.close());
    jobs.submit(made).catch(onError);
  });
  return hashesOf(folder);
}

/** A job of `parts` parts that take about 30 ms each. */
async function access(parts: number, more: Record<string, unknown> = {}): Promise<NewJob> {
  const origins = Array.from({ length: parts }, (_, i) => placesOver(town, 9)[i % 81]);
  const description = { kind: 'accessibility', origins, destinations: placesOver(town, 8), cutoffMinutes: [15, 30] };
  return jobOver(town, { ...description, window: 60, percentiles: [50], partOrigins: 1, ...more });
}

const folderOf = (place: QueuePlace, { id }: Job) => path.join(place.jobs, id);

withRedis('three workers make what one process makes', async (t) => {
  const { place, queue, workers } = await setUp(t, 3);
  const made = await access(60);
  await Promise.all(workers.map((worker) => worker.start()));
  const begun = await queue.submit(made);
  t.like(begun, { parts: 60, originsDone: 0, progress: { state: 'waiting' } });
  t.like(await endOf(queue, made.job.id), { originsDone: 60, progress: { state: 'complete', failures: [] } });
  t.is(
    workers.reduce((sum, worker) => sum + worker.made, 0),
    60,
    'no part is made twice',
  );
  t.true(workers.every((worker) => worker.made > 0));
  t.deepEqual(await hashesOf(folderOf(place, made.job)), await alone(t, made));
  t.true(await queue.remove(made.job.id));
  t.deepEqual(await queue.list(), []);
});

withRedis('a worker that is killed again and again costs nothing but time', async (t) => {
  const { place, queue, workers } = await setUp(t, 3);
  const made = await access(90);
  await Promise.all(workers.map((worker) => worker.start()));
  await queue.submit(made);
  const partsDone = async () => (await queue.get(made.job.id))?.progress.partsDone ?? 0;
  for (const [i, parts] of [5, 20, 40, 60].entries()) {
    await until(async () => (await partsDone()) >= parts, 60_000);
    const worker = workers[i % workers.length];
    await worker?.kill();
    await worker?.start();
  }
  t.like(await endOf(queue, made.job.id), { originsDone: 90, progress: { state: 'complete', failures: [] } });
  t.deepEqual(await hashesOf(folderOf(place, made.job)), await alone(t, made));
});

withRedis('Redis that is gone for some seconds and comes back empty stops nothing for good', async (t) => {
  const { redis, place, queue, workers } = await setUp(t, 2);
  const made = await access(80);
  await Promise.all(workers.map((worker) => worker.start()));
  await queue.submit(made);
  await until(async () => ((await queue.get(made.job.id))?.progress.partsDone ?? 0) > 10);
  await redis.kill();
  await t.throwsAsync(queue.get(made.job.id), { message: /cannot be reached/ });
  await t.throwsAsync(queue.submit(await access(3)), { message: /cannot be reached/ });
  await pauseOf(redis);
  t.like(await endOf(queue, made.job.id), { originsDone: 80, progress: { state: 'complete', failures: [] } });
  t.deepEqual(await hashesOf(folderOf(place, made.job)), await alone(t, made));
});

/** Redis is gone for ten seconds. */
async function pauseOf(redis: RedisServer): Promise<void> {
  const until10 = performance.now() + 10_000;
  await until(() => performance.now() > until10, 20_000);
  await redis.start();
}

withRedis('a cancelled job stops, keeps what it has, and goes on', async (t) => {
  const { place, queue, workers } = await setUp(t, 2);
  const made = await access(80);
  await Promise.all(workers.map((worker) => worker.start()));
  await queue.submit(made);
  await until(async () => ((await queue.get(made.job.id))?.progress.partsDone ?? 0) > 5);
  t.true(await queue.cancel(made.job.id));
  t.false(await queue.cancel(made.job.id));
  const cancelled = await endOf(queue, made.job.id);
  t.is(cancelled?.progress.state, 'cancelled');
  t.true((cancelled?.progress.partsDone ?? 80) < 80);
  t.true(await queue.resume(made.job.id));
  t.is((await endOf(queue, made.job.id))?.progress.state, 'complete');
  t.deepEqual(await hashesOf(folderOf(place, made.job)), await alone(t, made));
});

withRedis('a part that always fails ends the job with its origins, and the more urgent job comes first', async (t) => {
  const { queue, workers } = await setUp(t, 1);
  const usual = await access(30, { priority: 2 });
  const urgent = await access(30, { priority: 8 });
  const made = await access(4, { partOrigins: 3 });
  const broken: NewJob = { ...made, job: { ...made.job, graph: 'f'.repeat(64) } };
  await queue.submit(usual);
  await queue.submit(urgent);
  await queue.submit(broken);
  await Promise.all(workers.map((worker) => worker.start()));
  const [first, second] = [await endOf(queue, urgent.job.id), await endOf(queue, usual.job.id)];
  t.true(Date.parse(first?.progress.ended ?? '') < Date.parse(second?.progress.ended ?? ''));
  const failed = await endOf(queue, broken.job.id);
  t.like(failed, { originsDone: 0, progress: { state: 'failed' } });
  t.deepEqual(
    failed?.progress.failures.map(({ firstOrigin, origins }) => [firstOrigin, origins]),
    [
      [0, 3],
      [3, 1],
    ],
  );
  t.regex(failed?.progress.failures[0]?.message ?? '', /the job is of graph ffff/);
});

withRedis('three serving processes answer alike for a job that workers compute', async (t) => {
  const { place, workers } = await setUp(t, 3);
  const flags = { insecure: true, jobs: place.jobs, redis: place.redis };
  const { Graph } = await loadAddon();
  const maker = { open: (file: string) => Graph.open(file), build: () => Promise.reject(new Error('not here')) };
  const file = path.join(place.graphs, 'town', 'Graph.obj');
  const apps = [];
  for (let i = 0; i < 3; i += 1) {
    const app = await startApp(t, [{ id: 'town', graph: sharedGraph(town.graph), file }], { flags, maker });
    await app.deps.jobs?.queue.open(true);
    t.teardown(() => app.deps.jobs?.queue.close());
    apps.push(app);
  }
  await Promise.all(workers.map((worker) => worker.start()));
  const origins = placesOver(town, 7);
  const description = { kind: 'isochrones', origins, cutoffSec: [900], routing: ROUTING, partOrigins: 1 };
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(description);
  const answer = await apps[0]?.request('/routers/town/jobs', { method: 'POST', headers, body });
  t.is(answer?.status, 201);
  const { id } = (await answer?.json()) as { id: string };
  for (const app of apps) {
    const job = () => app.json(`/routers/town/jobs/${id}`);
    await until(async () => (await job()).state === 'complete', 60_000);
    t.like(await job(), { state: 'complete', originsDone: 49, partsDone: 49, failures: [] });
    t.is((await app.json('/routers/town/jobs')).length, 1);
  }
});
