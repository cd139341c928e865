/** Jobs that were interrupted are taken over while clients submit others. */

import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { FolderPlace } from '../../src/jobs/folder-files.js';
import { FILES, type JobFiles } from '../../src/jobs/job-files.js';
import { LocalJobs } from '../../src/jobs/local-jobs.js';
import { PartMaker } from '../../src/jobs/part-maker.js';
import { isEnded } from '../../src/jobs/status.js';
import { writeJob } from '../../src/jobs/stored-jobs.js';
import { openChecked } from '../../src/native/addon.js';
import { PLACE } from '../../src/storage/writer.js';
import { builtBefore } from '../support/built-graph.js';
import { gate } from '../support/gate.js';
import { jobOver, placesOver } from '../support/job-town.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const town = builtBefore(test, buildSampleTown);

test('a job that is being submitted is not taken over', async (t) => {
  const place = new FolderPlace(await temporaryDirectory(t));
  const [writing, goesOn] = [gate(), gate()];
  const filesOf = place.files.bind(place);
  place.files = async (id) => waitsToBegin(await filesOf(id));
  /** The first progress is written late. */
  const waitsToBegin = (files: JobFiles): JobFiles => {
    const write = files.write.bind(files);
    files.write = async (name, content) => {
      if (name === FILES.status) {
        place.files = filesOf;
        writing.open();
        await goesOn.promise;
      }
      return write(name, content);
    };
    return files;
  };
  const made: number[] = [];
  const jobs = new LocalJobs({
    place,
    maker: new PartMaker({ open: async () => town.graph }),
    parallel: 1,
    onPart: (_, part) => made.push(part),
  });
  t.teardown(() => jobs.close());
  const origins = placesOver(town, 2);
  const job = await jobOver(town, { kind: 'isochrones', origins, cutoffSec: [600], partOrigins: 1 });
  const submitted = jobs.submit(job);
  await writing.promise;
  const opened = jobs.open(true);
  await Promise.race([opened, pause(500)]);
  goesOn.open();
  await Promise.all([submitted, opened]);
  await until(async () => isEnded((await jobs.get(job.job.id))?.progress ?? { state: 'waiting' }));
  t.deepEqual(made.sort(), [0, 1, 2, 3], 'each part is made once');
});

test('a job of a container that was killed continues, unless it was cancelled since', async (t) => {
  const place = new FolderPlace(await temporaryDirectory(t));
  const origins = placesOver(town, 1);
  const write = async (name: string, progress: object) => {
    const { job, ...rest } = await jobOver(town, { kind: 'isochrones', origins, cutoffSec: [600] });
    const files = await writeJob(place, { job, ...rest });
    await files.write(FILES.status, JSON.stringify(progress));
    if (name === 'cancelled') await files.write(FILES.cancelled, '');
    return { id: job.id, files };
  };
  const owner = { host: 'gone', process: process.pid, place: 'pfedcba987', heartbeat: 1 };
  const running = { state: 'running', partsDone: 0, partsBefore: 0, failures: [], owner };
  const killed = await write('killed', running);
  const cancelled = await write('cancelled', running);
  const living = await write('living', running);
  const filesOf = place.files.bind(place);
  let beats = 0;
  /** The living one shows at every look that it lives, however late that look is. */
  const beating = (files: JobFiles): JobFiles => {
    const read = files.readText.bind(files);
    files.readText = async (name) => {
      if (name !== FILES.status) return read(name);
      beats += 1;
      return JSON.stringify({ ...running, owner: { ...owner, heartbeat: beats } });
    };
    return files;
  };
  place.files = async (id) => (id === living.id ? beating(await filesOf(id)) : filesOf(id));
  // The system gives the same numbers again.
  const again = { host: hostname(), process: process.ppid, place: PLACE, heartbeat: 1 };
  const numbered = await write('numbered', { ...running, owner: again });
  // It is closed with the jobs.
  const open = () => openChecked(town.file);
  const made: string[] = [];
  const jobs = new LocalJobs({
    place,
    maker: new PartMaker({ open }),
    parallel: 1,
    silentMs: 1500,
    onPart: ({ id }) => made.push(id),
  });
  t.teardown(() => jobs.close());
  const state = async ({ id }: { id: string }) => (await jobs.get(id))?.progress.state;
  await jobs.open(true);
  t.is(await state(killed), 'running');
  for (const job of [killed, numbered]) await until(async () => (await state(job)) === 'complete');
  await until(async () => (await state(cancelled)) === 'cancelled');
  const seen = beats;
  await until(() => beats > seen + 1);
  t.is(await state(living), 'running');
  t.deepEqual(made.sort(), [killed.id, numbered.id].sort());
});
