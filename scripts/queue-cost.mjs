// Measures the cost of the queue of jobs with a job whose parts only wait.
import { setTimeout as pause } from 'node:timers/promises';
import { FolderPlace } from '../dist/src/jobs/folder-files.js';
import { PartMaker } from '../dist/src/jobs/part-maker.js';
import { PartWorker } from '../dist/src/jobs/part-worker.js';
import { QueuedJobs } from '../dist/src/jobs/queued-jobs.js';

/** Largest share of the time of a job that the queue may take, for this many parts of two seconds. */
export const MOST_COST = 0.03;
export const PARTS = 100;

const [WORKERS, PARALLEL] = [2, 4];

const job = () => ({
  version: 1,
  id: 'waiting',
  router: 'none',
  graph: '0'.repeat(64),
  graphFormat: 1,
  task: { kind: 'matrix', destinations: 1, maxSeconds: 1 },
  request: {},
  scenarios: [{ id: '' }],
  origins: PARTS,
  partOrigins: 1,
  priority: 5,
  created: new Date().toISOString(),
});

/**
 * Runs a job whose parts wait for `partSeconds`, with two workers in this process that take four parts at a time. Its
 * files go to `folder`, and `redis` is an address. Resolves with the seconds that the job took, the seconds that the
 * waiting takes at least, and the processor seconds of the queue, the workers and the keepers together.
 */
export async function costOfQueue({ redis, folder, partSeconds }) {
  const options = { place: new FolderPlace(folder), redis: { url: redis, prefix: 'waiting' } };
  const wait = async () => {
    await pause(partSeconds * 1000);
    return new Int32Array(1);
  };
  const workers = Array.from({ length: WORKERS }, () => {
    const maker = new PartMaker({ open: async () => ({ dispose: () => {} }) }, wait);
    return new PartWorker({ ...options, parallel: PARALLEL, maker });
  });
  const queue = new QueuedJobs(options);
  await Promise.all([queue.open(), ...workers.map((worker) => worker.open())]);
  const row = 'id,lat,lon\n0,1,1\n';
  const before = process.cpuUsage();
  const begun = performance.now();
  await queue.submit({ job: job(), origins: `id,lat,lon\n${'0,1,1\n'.repeat(PARTS)}`, destinations: row });
  while ((await queue.get('waiting')).progress.state !== 'complete') await pause(20);
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(before);
  await Promise.all([queue.close(), ...workers.map((worker) => worker.close(1000))]);
  const least = Math.ceil(PARTS / (WORKERS * PARALLEL)) * partSeconds;
  return { seconds, least, processor: (user + system) / 1e6 };
}
