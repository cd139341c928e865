/** Jobs that ended long ago are removed with their results, whether or not somebody submits another one. */

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { FolderPlace } from '../../src/jobs/folder-files.js';
import type { Jobs } from '../../src/jobs/jobs.js';
import { LocalJobs } from '../../src/jobs/local-jobs.js';
import { PartMaker } from '../../src/jobs/part-maker.js';
import { QueuedJobs } from '../../src/jobs/queued-jobs.js';
import { builtBefore } from '../support/built-graph.js';
import { jobOver, placesOver } from '../support/job-town.js';
import { HAS_REDIS, startRedis } from '../support/redis-server.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const town = builtBefore(test, buildSampleTown);

const DAY_MS = 86_400_000;

/** Writes a job that ended this many days ago. */
async function writeEnded(folder: string, id: string, days: number, state = 'complete'): Promise<void> {
  const { job } = await jobOver(town, { kind: 'isochrones', origins: placesOver(town, 1), cutoffSec: [600] });
  const ended = new Date(Date.now() - days * DAY_MS).toISOString();
  await mkdir(path.join(folder, id, 'parts'), { recursive: true });
  await writeFile(path.join(folder, id, 'parts/part-000000.parquet'), '');
  await writeFile(path.join(folder, id, 'status.json'), JSON.stringify({ state, ended, partsDone: 1, failures: [] }));
  await writeFile(path.join(folder, id, 'job.json'), JSON.stringify({ ...job, id }));
}

/** Options of jobs that are kept for two days. */
interface Kept {
  readonly place: FolderPlace;
  readonly keepMs: number;
  readonly lookMs: number;
  readonly onError: (error: unknown) => void;
}

function localJobs(kept: Kept): Jobs {
  const maker = new PartMaker({ open: async () => town.graph });
  return new LocalJobs({ ...kept, maker, parallel: 1 });
}

async function queuedJobs(t: ExecutionContext, kept: Kept): Promise<Jobs> {
  const { url } = await startRedis(t);
  return new QueuedJobs({ ...kept, redis: { url, prefix: 'test' } });
}

async function removesOldJobs(t: ExecutionContext, makeJobs: (kept: Kept) => Jobs | Promise<Jobs>): Promise<void> {
  const folder = await temporaryDirectory(t);
  const place = new FolderPlace(folder);
  const remove = place.remove.bind(place);
  place.remove = (id) => (id === 'stuck' ? Promise.reject(new Error('stuck')) : remove(id));
  const errors: string[] = [];
  const onError = (error: unknown) => errors.push((error as Error).message);
  const jobs = await makeJobs({ place, keepMs: 2 * DAY_MS, lookMs: 20, onError });
  t.teardown(() => jobs.close());
  await writeEnded(folder, 'before-the-start', 3);
  await writeEnded(folder, 'kept', 1);
  await writeEnded(folder, 'stuck', 3);
  await jobs.open(true);
  await until(async () => !(await readdir(folder)).includes('before-the-start'));
  for (const state of ['complete', 'failed', 'cancelled']) await writeEnded(folder, state, 3, state);
  await until(async () => (await readdir(folder)).length === 2);
  t.deepEqual((await readdir(folder)).sort(), ['kept', 'stuck']);
  t.deepEqual([...new Set(errors)], ['stuck'], 'it is reported, and keeps neither the start nor the others');
}

test('a server that computes jobs itself removes old ones', (t) => removesOldJobs(t, localJobs));

(HAS_REDIS ? test : test.skip)('a server with a queue removes old ones', (t) =>
  removesOldJobs(t, (kept) => queuedJobs(t, kept)),
);
