/** Jobs that several processes of a host change at once. */

import { readdir } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import { FolderPlace } from '../../src/jobs/folder-files.js';
import { LocalJobs } from '../../src/jobs/local-jobs.js';
import { PartMaker } from '../../src/jobs/part-maker.js';
import { isEnded } from '../../src/jobs/status.js';
import { loadAddon } from '../../src/native/addon.js';
import { Queues } from '../../src/queues.js';
import { builtBefore } from '../support/built-graph.js';
import { gate } from '../support/gate.js';
import { jobOver, placesOver } from '../support/job-town.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const town = builtBefore(test, buildSampleTown);

type Turn = ConstructorParameters<typeof PartMaker>[1];

/** The jobs of a process; `queues` is what the processes have in common, and `turn` lets a search begin. */
async function processAt(t: ExecutionContext, folder: string, queues: Queues, turn?: Turn): Promise<LocalJobs> {
  const { Graph } = await loadAddon();
  const jobs = new LocalJobs({
    place: new FolderPlace(folder),
    maker: new PartMaker({ open: () => Graph.open(town.file) }, turn),
    parallel: 1,
    withLock: (id, work) => queues.take(id, work),
  });
  t.teardown(() => jobs.close());
  return jobs;
}

test('a job that two processes cancel, resume and remove at once is there as a whole or gone', async (t) => {
  const folder = await temporaryDirectory(t);
  const queues = new Queues();
  const [one, other] = [await processAt(t, folder, queues), await processAt(t, folder, queues)];
  for (let round = 0; round < 10; round += 1) {
    const made = await jobOver(town, {
      kind: 'isochrones',
      origins: placesOver(town, 5),
      cutoffSec: [600],
      partOrigins: 1,
    });
    const { id } = made.job;
    const ended = async () => {
      const status = await other.get(id);
      return status === undefined || isEnded(status.progress);
    };
    await one.submit(made);
    await one.cancel(id);
    await until(ended);
    await Promise.all([one.remove(id), other.resume(id), one.resume(id), other.remove(id), one.cancel(id)]);
    if ((await one.get(id)) !== undefined) {
      await until(ended);
      t.true(await one.remove(id));
    }
    t.deepEqual(await readdir(folder), []);
  }
});

test('a part that waits for its turn stops when its job is cancelled', async (t) => {
  const waiting = gate();
  const stopped = gate();
  const never: Turn = (_, signal) => {
    waiting.open();
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        stopped.open();
        reject(signal.reason);
      });
    });
  };
  const jobs = await processAt(t, await temporaryDirectory(t), new Queues(), never);
  const made = await jobOver(town, { kind: 'isochrones', origins: placesOver(town, 2), cutoffSec: [600] });
  await jobs.submit(made);
  await waiting.promise;
  t.true(await jobs.cancel(made.job.id));
  await stopped.promise;
  await until(async () => (await jobs.get(made.job.id))?.progress.state === 'cancelled');
  t.pass();
});
