/** Jobs whose place has no space left: they say so, and go on to the same result after space was made. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { FolderPlace } from '../../src/jobs/folder-files.js';
import type { JobFiles, JobPlace } from '../../src/jobs/job-files.js';
import type { NewJob } from '../../src/jobs/jobs.js';
import { LocalJobs } from '../../src/jobs/local-jobs.js';
import { PartMaker } from '../../src/jobs/part-maker.js';
import { isEnded, type JobStatus } from '../../src/jobs/status.js';
import { loadAddon } from '../../src/native/addon.js';
import { builtBefore } from '../support/built-graph.js';
import { graphsWith } from '../support/graphs-directory.js';
import { hashesOf, jobOver, placesOver, rowsOf } from '../support/job-town.js';
import { endOf, openQueue, WorkerProcess } from '../support/job-workers.js';
import { HAS_OBJECT_SERVER, startFaultProxy, startObjectServer } from '../support/object-server.js';
import { HAS_REDIS, startRedis } from '../support/redis-server.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const withBoth = HAS_OBJECT_SERVER && HAS_REDIS ? test.serial : test.serial.skip;

const town = builtBefore(test, buildSampleTown);

const isochrones = (): Promise<NewJob> =>
  jobOver(town, { kind: 'isochrones', origins: placesOver(town, 5), cutoffSec: [600], partOrigins: 1 });

/** A folder on a disk that is full while `isFull` says so. */
function diskAt(folder: string, isFull: () => boolean): JobPlace {
  const place = new FolderPlace(folder);
  const full = async () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  const files = async (id: string): Promise<JobFiles> => {
    const inner = await place.files(id);
    return new Proxy(inner, {
      get: (target, name) => {
        if (name === 'write' && isFull()) return full;
        const member = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  };
  return { ids: () => place.ids(), files, remove: (id) => place.remove(id) };
}

async function localJobs(t: { teardown(work: () => Promise<void>): void }, place: JobPlace, errors: unknown[] = []) {
  const { Graph } = await loadAddon();
  const jobs = new LocalJobs({
    place,
    maker: new PartMaker({ open: () => Graph.open(town.file) }),
    parallel: 1,
    onError: (error) => errors.push(error),
  });
  t.teardown(() => jobs.close());
  return jobs;
}

async function ended(jobs: LocalJobs, id: string): Promise<JobStatus | undefined> {
  let status: JobStatus | undefined;
  await until(async () => {
    status = await jobs.get(id);
    return status !== undefined && isEnded(status.progress);
  });
  return status;
}

test('on a full disk a job waits with the reason, then ends, and goes on', async (t) => {
  const folder = await temporaryDirectory(t);
  let writes = 0;
  const errors: unknown[] = [];
  const place = diskAt(folder, () => {
    writes += 1;
    return writes > 12;
  });
  const jobs = await localJobs(t, place, errors);
  const made = await isochrones();
  const { id } = made.job;
  await jobs.submit(made);
  const failures = async () => (await jobs.get(id))?.progress.failures ?? [];
  await until(async () => (await failures()).length >= 10 && errors.length > 0);
  t.true((await failures()).every(({ message }) => /ENOSPC: no space left/.test(message)));
  t.is((await jobs.get(id))?.progress.state, 'running', 'the end cannot be written down');
  t.false(await jobs.resume(id));
  const stored = await readdir(path.join(folder, id, 'parts'));
  writes = Number.NEGATIVE_INFINITY;
  const failed = await ended(jobs, id);
  t.like(failed, { originsDone: stored.length, progress: { state: 'failed' } });
  t.true(await jobs.resume(id));
  t.like(await ended(jobs, id), { originsDone: 25, progress: { state: 'complete', failures: [] } });
  t.is((await rowsOf(path.join(folder, id))).length, 25);
  const other = path.join(await temporaryDirectory(t));
  const again = await localJobs(t, new FolderPlace(other));
  await again.submit(made);
  await ended(again, id);
  t.deepEqual(await hashesOf(path.join(folder, id)), await hashesOf(path.join(other, id)));
});

test('a job that does not fit leaves nothing', async (t) => {
  const folder = await temporaryDirectory(t);
  let writes = 0;
  const jobs = await localJobs(
    t,
    diskAt(folder, () => ++writes > 1),
  );
  const made = await isochrones();
  await t.throwsAsync(jobs.submit(made), { code: 'ENOSPC' });
  t.deepEqual(await readdir(folder), []);
  t.deepEqual(await jobs.list(), []);
});

withBoth('a job in a full object store ends with the reason, and goes on when there is space', async (t) => {
  const server = await startObjectServer(t);
  const redis = await startRedis(t);
  /** Parts that still fit. */
  let room = 5;
  const endpoint = await startFaultProxy(t, server.endpoint, (method, target) => {
    if (method !== 'PUT') return 'none';
    if (/\/parts\//.test(target)) room -= 1;
    return room < 0 ? 'full' : 'none';
  });
  const place = {
    redis: redis.url,
    jobs: `${server.address}/jobs`,
    graphs: await graphsWith(t, town),
    s3Endpoint: endpoint,
  };
  const workers = [1, 2].map(() => new WorkerProcess(t, place));
  const queue = await openQueue(t, place);
  const made = await isochrones();
  const { id } = made.job;
  await queue.submit(made);
  await Promise.all(workers.map((worker) => worker.start()));
  const failures = async () => (await queue.get(id))?.progress.failures ?? [];
  await until(async () => (await failures()).length >= 10);
  for (const { message } of await failures())
    t.regex(message, /^s3:\/\/graphs\/city\/jobs\/.* cannot be written: InsufficientStorage.*\(507\)$/);
  t.is((await queue.get(id))?.progress.state, 'running', 'the end cannot be written down');
  await t.throwsAsync(queue.submit(await isochrones()), { message: /InsufficientStorage/ });
  room = Number.POSITIVE_INFINITY;
  const failed = await endOf(queue, id);
  t.is(failed?.progress.state, 'failed');
  t.true(await queue.resume(id));
  t.like(await endOf(queue, id), { originsDone: 25, progress: { state: 'complete', failures: [] } });
  const stored = server.file(`jobs/${id}`);
  t.is((await rowsOf(stored)).length, 25);
  const folder = await temporaryDirectory(t);
  const alone = await localJobs(t, new FolderPlace(folder));
  await alone.submit(made);
  await ended(alone, id);
  t.deepEqual(await hashesOf(stored), await hashesOf(path.join(folder, id)));
  t.deepEqual((await queue.list()).length, 1);
});
