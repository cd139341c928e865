/** Workers tell their operators how they are, and leave nothing behind. */

import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { PLACE, WRITER } from '../../src/storage/writer.js';
import { builtBefore } from '../support/built-graph.js';
import { freePort } from '../support/free-port.js';
import { graphsWith } from '../support/graphs-directory.js';
import { jobOver, placesOver } from '../support/job-town.js';
import { endOf, openQueue, type QueuePlace, WorkerProcess } from '../support/job-workers.js';
import { HAS_REDIS, startRedis } from '../support/redis-server.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

/** Greater than any process number of the system. */
const GONE = 99_999_999;

const withRedis = HAS_REDIS ? test.serial : test.serial.skip;

const town = builtBefore(test, buildSampleTown);

withRedis('a worker with a port answers health checks and counts its parts', async (t) => {
  const redis = await startRedis(t);
  const jobs = await temporaryDirectory(t);
  const place: QueuePlace = { redis: redis.url, jobs, graphs: await graphsWith(t, town) };
  const queue = await openQueue(t, place);
  const worker = new WorkerProcess(t, place, 2, ['--port', '0', '--bindAddress', '127.0.0.1']);
  await worker.start();
  const get = async (target: string) => {
    const answer = await fetch(`http://127.0.0.1:${worker.port}${target}`);
    return `${answer.status} ${await answer.text()}`;
  };
  t.is(await get('/health/live'), '200 live\n');
  // Redis may take longer to answer than its limit on a busy machine.
  await until(async () => (await get('/health/ready')) === '200 ready\n');
  t.regex(await get('/otp/routers'), /^404 /);
  const metric = async (name: string) => Number((await get('/metrics')).split(`\n${name} `)[1]?.split('\n')[0]);
  t.is(await metric('trestle_job_parts_total{outcome="made"}'), 0);
  t.is(await metric('trestle_job_parts_total{outcome="failed"}'), 0);
  t.is(await metric('trestle_shared_state_up'), 1);

  const described = { kind: 'isochrones', origins: placesOver(town, 6), cutoffSec: [600], partOrigins: 1 };
  const made = await jobOver(town, described);
  await queue.submit(made);
  t.like(await endOf(queue, made.job.id), { progress: { state: 'complete' } });
  // The worker counts a part only after it has reported it to the queue, and the log line arrives later still.
  const isIdle = async () => (await metric('trestle_job_parts_running')) === 0;
  await until(async () => worker.made >= 36 && (await isIdle()));
  t.is(await metric('trestle_job_parts_total{outcome="made"}'), worker.made);
  t.is(await metric('trestle_job_part_duration_seconds_count'), worker.made);
  t.true((await metric('trestle_job_part_duration_seconds_sum')) > 0);

  // A job whose graph is gone: each part is tried three times.
  const broken = await jobOver(town, { ...described, partOrigins: 36 });
  await queue.submit({ ...broken, job: { ...broken.job, graph: '0'.repeat(64) } });
  t.like(await endOf(queue, broken.job.id), { progress: { state: 'failed' } });
  await until(isIdle);
  t.is(await metric('trestle_job_parts_total{outcome="failed"}'), 3);

  await redis.kill();
  await until(async () => (await get('/health/ready')) === '503 the queue cannot be reached\n');
  t.is(await get('/health/ready'), '503 the queue cannot be reached\n');
  t.is(await get('/health/live'), '200 live\n', 'a start would change nothing');
  t.is(await metric('trestle_shared_state_up'), 0);
});

withRedis('a worker without a port listens to nothing; with the variable of the setting it has one', async (t) => {
  const redis = await startRedis(t);
  const place: QueuePlace = { redis: redis.url, jobs: await temporaryDirectory(t), graphs: await graphsWith(t, town) };
  const quiet = new WorkerProcess(t, place);
  await quiet.start();
  t.is(quiet.port, undefined);
  const told = new WorkerProcess(t, place, 1, [], { TRESTLE_PORT: '0' });
  await told.start();
  t.is((await fetch(`http://127.0.0.1:${told.port}/health/live`)).status, 200);
});

withRedis('a worker ends when it is told to, also when Redis has gone or was never there', async (t) => {
  const redis = await startRedis(t);
  const place: QueuePlace = { redis: redis.url, jobs: await temporaryDirectory(t), graphs: await graphsWith(t, town) };
  const left = new WorkerProcess(t, place);
  await left.start();
  await redis.kill();
  const failed = () => left.messages.filter((line) => line.includes('cannot be reached'));
  await until(() => failed().length > 0);
  // Time for some attempts to reach it again.
  await pause(2000);
  const failures = failed().map((line) => JSON.parse(line));
  const texts = failures.map(({ err }) => err.message);
  t.deepEqual(texts, [...new Set(texts)], 'each failure is reported once');
  const says = () => left.messages.filter((line) => line.includes('the queue can be reached again')).length;
  t.is(says(), 0);
  await redis.start();
  await until(async () => says() > 0);
  t.is(says(), 1);
  // By then it waits for a part, for which it would never get an answer.
  await pause(2000);
  await redis.kill();
  t.is(await left.kill('SIGTERM'), 0);
  const alone = new WorkerProcess(t, { ...place, redis: `redis://127.0.0.1:${await freePort()}` });
  await alone.start();
  t.is(await alone.kill('SIGTERM'), 0);
});

withRedis('a worker removes the temporary directories that killed ones have left', async (t) => {
  const redis = await startRedis(t);
  const place: QueuePlace = { redis: redis.url, jobs: await temporaryDirectory(t), graphs: await graphsWith(t, town) };
  const temporary = await temporaryDirectory(t);
  for (const owner of [`${GONE}-${PLACE}`, WRITER]) await mkdir(path.join(temporary, `.trestle-tmp-${owner}-abc123`));
  await new WorkerProcess(t, place, 1, [], { TMPDIR: temporary, TEMP: temporary, TMP: temporary }).start();
  t.deepEqual(await readdir(temporary), [`.trestle-tmp-${WRITER}-abc123`]);
});
