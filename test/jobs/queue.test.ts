/** Jobs in a queue, with a real Redis and workers as processes. */

import { execFile, spawn } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { Random } from '../../src/bench/random.js';
import { portWhenReady } from '../../src/bench/started-server.js';
import { FolderFiles, FolderPlace } from '../../src/jobs/folder-files.js';
import type { Job } from '../../src/jobs/job.js';
import type { NewJob } from '../../src/jobs/jobs.js';
import { LocalJobs } from '../../src/jobs/local-jobs.js';
import { PartMaker } from '../../src/jobs/part-maker.js';
import { queuePrefix } from '../../src/jobs/part-queue.js';
import type { QueuedJobs } from '../../src/jobs/queued-jobs.js';
import type { JobStatus } from '../../src/jobs/status.js';
import { writeJob } from '../../src/jobs/stored-jobs.js';
import { loadAddon } from '../../src/native/addon.js';
import { builtBefore } from '../support/built-graph.js';
import { MAIN } from '../support/command.js';
import { graphsWith } from '../support/graphs-directory.js';
import { hashesOf, jobOver, placesOver, ROUTING } from '../support/job-town.js';
import { endOf, openQueue, type QueuePlace, WorkerProcess } from '../support/job-workers.js';
import { HAS_REDIS, type RedisServer, startRedis } from '../support/redis-server.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const withRedis = HAS_REDIS ? test.serial : test.serial.skip;

const town = builtBefore(test, buildSampleTown);

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
  await new Promise<JobStatus>((onEnd, onError) => {
    const jobs = new LocalJobs({
      place: { ids: async () => [], files: async () => new FolderFiles(folder), remove: async () => {} },
      maker: new PartMaker({ open: () => Graph.open(town.file) }),
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
  // The last lines of the logs arrive after the end.
  const parts = () => workers.reduce((sum, worker) => sum + worker.made, 0);
  await until(() => parts() >= 60);
  t.is(parts(), 60, 'no part is made twice');
  t.true(workers.every((worker) => worker.made > 0));
  t.deepEqual(await hashesOf(folderOf(place, made.job)), await alone(t, made));
  t.true(await queue.remove(made.job.id));
  t.deepEqual(await queue.list(), []);
});

/** Moments at which a worker is killed; CONTRIBUTING.md says how to try many. */
const KILLS = Number(process.env.JOB_KILLS ?? 4);
/** Parts of that job: more than twice as many as are computed until the last kill. */
const PARTS = 24 * KILLS;

withRedis(`workers that are killed at ${KILLS} random moments cost nothing but time`, async (t) => {
  t.timeout(300_000 + KILLS * 20_000);
  const { place, queue, workers } = await setUp(t, 3);
  const made = await access(PARTS, { window: 240, step: 20 });
  await Promise.all(workers.map((worker) => worker.start()));
  await queue.submit(made);
  const random = new Random('kills', process.env.JOB_SEED ?? 1);
  const seen: number[] = [];
  while (seen.length < KILLS) {
    await pause(random.next() * 1000);
    const partsDone = (await queue.get(made.job.id))?.progress.partsDone ?? 0;
    if (partsDone === PARTS) break;
    const worker = workers[Math.floor(random.next() * workers.length)];
    await worker?.kill();
    seen.push(partsDone);
    await worker?.start();
  }
  t.log(`parts that were done at each moment: ${seen.join(' ')}`);
  t.is(seen.length, KILLS, 'all before the end');
  const ended = await endOf(queue, made.job.id);
  t.like(ended, { originsDone: PARTS, progress: { state: 'complete', failures: [] } });
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

withRedis('Redis that does not answer for some seconds stops nothing for good', async (t) => {
  const { redis, place, queue, workers } = await setUp(t, 2);
  const made = await access(80);
  await Promise.all(workers.map((worker) => worker.start()));
  await queue.submit(made);
  await until(async () => ((await queue.get(made.job.id))?.progress.partsDone ?? 0) > 10);
  redis.hang();
  t.teardown(() => redis.goOn());
  await t.throwsAsync(queue.get(made.job.id), { message: /cannot be reached/ });
  await t.throwsAsync(queue.get(made.job.id), { message: /cannot be reached/ });
  redis.goOn();
  t.like(await endOf(queue, made.job.id), { originsDone: 80, progress: { state: 'complete', failures: [] } });
  t.deepEqual(await hashesOf(folderOf(place, made.job)), await alone(t, made));
});

/** Redis is gone for ten seconds, which is long for everything that uses it. */
async function pauseOf(redis: RedisServer): Promise<void> {
  await pause(10_000);
  await redis.start();
}

withRedis('a cancelled job stops, keeps what it has, and goes on', async (t) => {
  const { place, queue, workers } = await setUp(t, 2);
  const made = await access(80);
  await Promise.all(workers.map((worker) => worker.start()));
  await queue.submit(made);
  await until(async () => ((await queue.get(made.job.id))?.progress.partsDone ?? 0) > 5);
  t.true(await queue.cancel(made.job.id));
  const cancelled = await endOf(queue, made.job.id);
  t.is(cancelled?.progress.state, 'cancelled');
  t.false(await queue.cancel(made.job.id), 'it has ended');
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
  t.regex(failed?.progress.failures[0]?.message ?? '', /the job was made for graph ffff/);
});

/** A server of the town as a process; the address of its jobs. */
async function serve(t: ExecutionContext, { redis, jobs, graphs }: QueuePlace): Promise<string> {
  const flags = ['--graphs', graphs, '--router', 'town', '--insecure', '--port', '0'];
  const server = spawn(process.execPath, [MAIN, 'serve', ...flags, '--redis', redis, '--jobs', jobs], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.teardown(() => server.kill('SIGKILL'));
  const port = await portWhenReady(server);
  return `http://127.0.0.1:${port}/otp/routers/town/jobs`;
}

withRedis('three serving processes answer alike for a job that three working processes compute', async (t) => {
  const { redis, place, workers } = await setUp(t, 3);
  const servers = await Promise.all([1, 2, 3].map(() => serve(t, place)));
  const [first = '', second = ''] = servers;
  await Promise.all(workers.map((worker) => worker.start()));
  const origins = placesOver(town, 7);
  const description = { kind: 'isochrones', origins, cutoffSec: [900], routing: ROUTING, partOrigins: 1 };
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(first, { method: 'POST', headers, body: JSON.stringify(description) });
  t.is(answer.status, 201);
  const { id } = (await answer.json()) as { id: string };
  const ask = async (url: string) => (await fetch(url)).json() as Promise<any>;
  for (const jobs of servers) {
    await until(async () => (await ask(`${jobs}/${id}`)).state === 'complete');
    t.like(await ask(`${jobs}/${id}`), { state: 'complete', originsDone: 49, partsDone: 49, failures: [] });
    t.is((await ask(jobs)).length, 1);
    const metrics = await (await fetch(new URL('/metrics', jobs))).text();
    t.regex(metrics, /^trestle_job_parts_left 0$/m);
  }
  await redis.kill();
  const refused = await fetch(`${second}/${id}`);
  t.is(refused.status, 503);
  t.is(refused.headers.get('Retry-After'), '2');
});

/** What a command of `trestle job` prints. */
async function command(place: QueuePlace, ...args: string[]): Promise<string> {
  const { redis, jobs } = place;
  const run = promisify(execFile)(process.execPath, [MAIN, 'job', ...args, '--redis', redis, '--jobs', jobs]);
  return (await run).stdout;
}

withRedis('the command line puts jobs into the queue, shows, cancels, resumes and removes them', async (t) => {
  const { place, workers } = await setUp(t, 1);
  const file = path.join(await temporaryDirectory(t), 'places.csv');
  await writeFile(file, `lat,lon\n${placesOver(town, 5).join('\n')}\n`);
  const graph = path.join(place.graphs, 'town');
  const search = ['--graph', graph, '--date', ROUTING.date, '--partOrigins', '1'];
  const detached = await command(place, 'matrix', file, file, ...search, '--queue', '--detach', '--name', 'first');
  const id = detached.trim();
  t.regex(await command(place, 'list'), new RegExp(`^${id}  matrix of 25 origins: waiting, 0[.]0 %`));
  await command(place, 'cancel', id);
  t.regex(await command(place, 'status', id), /^matrix of 25 origins: cancelled, /);
  await t.throwsAsync(command(place, 'cancel', id), { message: /is not running or waiting/ });
  await command(place, 'resume', id);
  await workers[0]?.start();
  t.regex(await command(place, 'isochrones', file, ...search, '--cutoffSec', '600', '--queue'), /^25 of 25 origins/);
  const queue = await openQueue(t, place);
  await endOf(queue, id);
  const [status] = JSON.parse(`[${await command(place, 'status', id, '--json')}]`);
  t.like(status, { id, name: 'first', state: 'complete', originsDone: 25, routerId: 'town' });
  await command(place, 'remove', id);
  t.is((await command(place, 'list')).trim().split('\n').length, 1);
});

withRedis('a worker that is told to end finishes its part', async (t) => {
  const { queue, workers } = await setUp(t, 1);
  const made = await access(200, { window: 120 });
  const [worker] = workers;
  await worker?.start();
  await queue.submit(made);
  await until(() => (worker?.made ?? 0) > 2);
  await worker?.kill('SIGTERM');
  const partsDone = (await queue.get(made.job.id))?.progress.partsDone ?? 0;
  t.true(partsDone > 2 && partsDone < 200);
  t.is(await queuedNow(queue), 0, 'no part is left to a worker that has ended');
  await queue.cancel(made.job.id);
});

/** Parts that workers hold now. */
function queuedNow(queue: QueuedJobs): Promise<number> {
  return queue.states.ask((redis) => redis.llen(`${queuePrefix({ url: '', prefix: 'trestle' })}:parts:active`));
}

withRedis('files that killed workers left are removed when the job ends', async (t) => {
  const { place, queue, workers } = await setUp(t, 1);
  const made = await access(3);
  await queue.submit(made);
  const left = path.join(folderOf(place, made.job), 'parts', '.part-000001.parquet.tmp-1-1');
  await mkdir(path.dirname(left), { recursive: true });
  await writeFile(left, 'torn');
  await workers[0]?.start();
  t.is((await endOf(queue, made.job.id))?.progress.state, 'complete');
  t.deepEqual((await readdir(path.dirname(left))).length, 3);
});

withRedis('a job of another version of Trestle waits for that one, and can be cancelled and removed', async (t) => {
  const { place, queue, workers } = await setUp(t, 1);
  await workers[0]?.start();
  const [ours, theirs] = [await access(3), await access(3)];
  const foreign = { ...theirs, job: { ...theirs.job, graphFormat: theirs.job.graphFormat + 1 } };
  const { id } = foreign.job;
  await writeJob(new FolderPlace(place.jobs), foreign);
  await queue.submit(ours);
  t.is((await endOf(queue, ours.job.id))?.progress.state, 'complete');
  const again = await openQueue(t, place);
  // The keepers have looked for jobs since.
  await until(async () => (await again.list()).length === 2);
  await pause(2000);
  t.like(await again.get(id), { progress: { state: 'waiting', failures: [] } });
  t.true(await again.cancel(id));
  t.is((await again.get(id))?.progress.state, 'cancelled');
  t.false(await again.cancel(id));
  t.true(await again.remove(id));
});
