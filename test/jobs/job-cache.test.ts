import test from 'ava';
import type { Job } from '../../src/jobs/job.js';
import { JobCache } from '../../src/jobs/job-cache.js';
import { FILES, type JobFiles, type JobPlace } from '../../src/jobs/job-files.js';
import type { JobStatus } from '../../src/jobs/status.js';
import { latestFirst } from '../../src/jobs/stored-jobs.js';

const JOB: Omit<Job, 'id' | 'scenarios'> = {
  version: 1,
  router: 'town',
  graph: '0'.repeat(64),
  graphFormat: 1,
  task: { kind: 'isochrones', cutoffs: [600], precisionM: 200, offRoadM: 150 },
  request: {} as Job['request'],
  origins: 1,
  partOrigins: 1,
  priority: 5,
  created: '2026-11-23T08:00:00.000Z',
};

/**
 * A place that has a job for every id, whose scenario has as many characters as the id says. It counts the files that
 * are read.
 */
function setUp(mostCharacters?: number) {
  const read: string[] = [];
  const files = async (id: string) => {
    const scenarios = [{ id: 's', text: 'x'.repeat(Number(id.split('-')[1] ?? 0)) }];
    const job = { ...JOB, id, scenarios };
    const readText = async (name: string) => {
      read.push(id);
      return name === FILES.job ? JSON.stringify(job) : undefined;
    };
    return { address: id, readText } as unknown as JobFiles;
  };
  const place = { files } as unknown as JobPlace;
  return { cache: new JobCache(place, mostCharacters), read };
}

test('as many jobs are kept as can be open, those that were requested last', async (t) => {
  const { cache, read } = setUp();
  for (let i = 0; i < 1000; i += 1) {
    t.is((await cache.get('first')).id, 'first');
    await cache.get(`job${i}`);
  }
  t.is(read.length, 1001);
  for (let i = 901; i < 1000; i += 1) await cache.get(`job${i}`);
  t.is(read.length, 1001);
  await cache.get('job900');
  t.is(read.length, 1002);
});

test('long scenarios leave less room, and a job longer than all of it is kept until another one is requested', async (t) => {
  const { cache, read } = setUp(100);
  for (const id of ['a-60', 'b-30', 'a-60', 'b-30', 'c-30', 'b-30', 'a-60']) await cache.get(id);
  t.deepEqual(read, ['a-60', 'b-30', 'c-30', 'a-60']);
  for (const id of ['d-200', 'd-200', 'e-1', 'd-200']) await cache.get(id);
  t.deepEqual(read.slice(4), ['d-200', 'e-1', 'd-200']);
});

test('many jobs are read a few at a time, and those that cannot be read are left out', async (t) => {
  let [reading, most] = [0, 0];
  const wrong: unknown[] = [];
  const get = async (id: string) => {
    reading += 1;
    most = Math.max(most, reading);
    await new Promise(setImmediate);
    reading -= 1;
    if (id === 'j7') throw new Error('damaged');
    const job = { ...JOB, id, scenarios: [], created: id.padStart(5, '0') };
    return { job } as unknown as JobStatus;
  };
  const ids = Array.from({ length: 500 }, (_, i) => `j${i}`);
  const found = await latestFirst(ids, get, (error) => wrong.push(error));
  t.deepEqual([found.length, wrong.length, most], [499, 1, 32]);
  t.is(found[0]?.job.id, 'j499');
});
