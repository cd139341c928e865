/** Jobs that were not written by a server: damaged, or by somebody who wants to do harm. */

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { Queue } from 'bullmq';
import { FolderPlace } from '../../src/jobs/folder-files.js';
import type { Job } from '../../src/jobs/job.js';
import { LocalJobs } from '../../src/jobs/local-jobs.js';
import { PartMaker } from '../../src/jobs/part-maker.js';
import { queuePrefix } from '../../src/jobs/part-queue.js';
import { builtBefore } from '../support/built-graph.js';
import { graphsWith } from '../support/graphs-directory.js';
import { jobOver, placesOver, rowsOf } from '../support/job-town.js';
import { endOf, openQueue, WorkerProcess } from '../support/job-workers.js';
import { HAS_REDIS, startRedis } from '../support/redis-server.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const withRedis = HAS_REDIS ? test : test.skip;

const town = builtBefore(test, buildSampleTown);

const isochrones = (side: number) =>
  jobOver(town, { kind: 'isochrones', origins: placesOver(town, side), cutoffSec: [600], partOrigins: 1 });

/** What somebody may have written into a `job.json`. */
const WRONG: Readonly<Record<string, Partial<Record<keyof Job, unknown>>>> = {
  'another-id': { id: '../victim' },
  'other-id': { id: 'victim' },
  'parts-without-end': { partOrigins: 0 },
  'negative-parts': { partOrigins: -1 },
  'too-many-parts': { origins: 1e12, partOrigins: 1 },
  'infinite-origins': { origins: null },
  'broken-origins': { origins: 1.5 },
  'no-task': { task: null },
  'unknown-task': { task: { kind: 'harm' } },
  'no-cutoffs': { task: { kind: 'isochrones', cutoffs: 'all' } },
  'no-scenarios': { scenarios: [] },
  'wrong-scenarios': { scenarios: [7] },
  'no-graph': { graph: '../../graph' },
  'no-request': { request: null },
  'wrong-priority': { priority: 1e9 },
  'no-time': { created: 7 },
};

test('jobs with impossible values are left out of the list, and do nothing', async (t) => {
  const directory = await temporaryDirectory(t);
  const folder = path.join(directory, 'jobs');
  const { job } = await isochrones(2);
  const write = async (id: string, text: string) => {
    await mkdir(path.join(folder, id), { recursive: true });
    await writeFile(path.join(folder, id, 'job.json'), text);
    await writeFile(path.join(folder, id, 'status.json'), '{"state":"complete","ended":"2020-01-01T00:00:00Z"}');
  };
  for (const [id, wrong] of Object.entries(WRONG)) await write(id, JSON.stringify({ ...job, id, ...wrong }));
  await write('no-json', '{');
  await write('right', JSON.stringify({ ...job, id: 'right' }));
  await write('../victim', JSON.stringify({ ...job, id: '../victim' }));
  const errors: string[] = [];
  const jobs = new LocalJobs({
    place: new FolderPlace(folder),
    maker: new PartMaker({ open: async () => town.graph }),
    parallel: 1,
    keepMs: 1000,
    onError: (error) => errors.push((error as Error).message),
  });
  t.teardown(() => jobs.close());
  t.deepEqual(
    (await jobs.list()).map((status) => status.job.id),
    ['right'],
  );
  t.is(errors.length, Object.keys(WRONG).length + 1);
  await jobs.open(true);
  t.deepEqual(await readdir(path.join(directory, 'victim')), ['job.json', 'status.json']);
  t.deepEqual((await readdir(folder)).sort(), [...Object.keys(WRONG), 'no-json'].sort(), 'the right one was old');
});

withRedis('an entry that somebody puts into the queue by hand makes no part and ends no job', async (t) => {
  const redis = await startRedis(t);
  const place = { redis: redis.url, jobs: await temporaryDirectory(t), graphs: await graphsWith(t, town) };
  const queue = await openQueue(t, place);
  const worker = new WorkerProcess(t, place, 2);
  const made = await isochrones(3);
  const { id } = made.job;
  await queue.submit(made);
  const { host, port } = { host: '127.0.0.1', port: Number(new URL(redis.url).port) };
  const hostile = new Queue('parts', {
    connection: { host, port },
    prefix: queuePrefix({ url: '', prefix: 'trestle' }),
  });
  t.teardown(() => hostile.close());
  for (const part of [-1, 1e9, 1.5, '0', null, '../../x']) await hostile.add('x', { job: id, part });
  for (const job of ['../../x', '', null, 7, {}]) await hostile.add('x', { job, part: 0 });
  await hostile.add('x', 'text');
  await worker.start();
  t.like(await endOf(queue, id), { originsDone: 9, progress: { state: 'complete', failures: [] } });
  await until(async () => (await hostile.getJobCountByTypes('wait', 'active', 'prioritized')) === 0);
  t.is((await rowsOf(path.join(place.jobs, id))).length, 9);
  t.deepEqual(await readdir(place.jobs), [id]);
});
