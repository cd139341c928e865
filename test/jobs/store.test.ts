/** Jobs in a real object store, also behind a proxy that makes half of the requests fail. */

import path from 'node:path';
import test from 'ava';
import { Random } from '../../src/bench/random.js';
import { jobPlace } from '../../src/jobs/job-place.js';
import { loadAddon } from '../../src/native/addon.js';
import { prepareGraph, publish } from '../../src/publishing/publish.js';
import { builtBefore } from '../support/built-graph.js';
import { hashesOf, jobOver, placesOver } from '../support/job-town.js';
import { endOf, openQueue, type QueuePlace, WorkerProcess } from '../support/job-workers.js';
import { type Fault, HAS_OBJECT_SERVER, startFaultProxy, startObjectServer } from '../support/object-server.js';
import { HAS_REDIS, startRedis } from '../support/redis-server.js';
import { buildSampleTown } from '../support/sample-graph.js';

const withBoth = HAS_OBJECT_SERVER && HAS_REDIS ? test.serial : test.serial.skip;
const withStore = HAS_OBJECT_SERVER ? test : test.skip;

const town = builtBefore(test, buildSampleTown);

withStore('a job in an object store has the files that one in a folder has', async (t) => {
  const server = await startObjectServer(t);
  const place = jobPlace(`${server.address}/jobs`, server.endpoint);
  t.deepEqual(await place.ids(), []);
  const files = await place.files('first');
  await files.write('job.json', '{}');
  await files.write('parts/part-000000.parquet', Uint8Array.of(1, 2, 3));
  t.is(await files.readText('job.json'), '{}');
  t.is(await files.readText('other'), undefined);
  t.deepEqual(await files.list('parts/'), ['parts/part-000000.parquet']);
  t.is((await files.digest('parts/part-000000.parquet'))?.bytes, 3);
  t.is(await files.digest('parts/part-000001.parquet'), undefined);
  t.regex(files.address, /^s3:\/\/graphs\/city\/jobs\/first$/);
  t.deepEqual(await files.withLocalFile('job.json', async (file) => path.basename(file)), 'job.json');
  await (await place.files('second')).write('parts/part-000000.parquet', 'no job');
  t.deepEqual(await place.ids(), ['first']);
  await place.remove('first');
  t.deepEqual(await place.ids(), []);
  t.deepEqual(await files.list(''), []);
});

withBoth('a store that is slow and fails half of its requests delays a job and changes nothing', async (t) => {
  const server = await startObjectServer(t);
  const { Graph } = await loadAddon();
  const graph = await prepareGraph(path.dirname(town.file), (file) => Graph.open(file));
  await publish(graph, await server.open(), { router: 'town' });
  const redis = await startRedis(t);
  const random = new Random('faults');
  let faulty = false;
  const seen = { requests: 0, faults: 0 };
  const faults: Fault[] = ['refused', 'broken', 'unanswered', 'cut'];
  const endpoint = await startFaultProxy(t, server.endpoint, () => {
    seen.requests += 1;
    if (!faulty) return 'none';
    if (random.chance(0.5)) {
      seen.faults += 1;
      return faults[Math.floor(random.next() * faults.length)] ?? 'refused';
    }
    return random.chance(0.1) ? 'slow' : 'none';
  });
  const place = (jobs: string): QueuePlace => ({
    redis: redis.url,
    jobs: `${server.address}/${jobs}`,
    graphs: server.address,
    s3Endpoint: endpoint,
  });
  const origins = placesOver(town, 5);
  const made = await jobOver(town, { kind: 'isochrones', origins, cutoffSec: [600, 900], partOrigins: 1 });
  const results = [];
  for (const [jobs, isFaulty] of [
    ['good', false],
    ['bad', true],
  ] as const) {
    const workers = [1, 2].map(() => new WorkerProcess(t, place(jobs)));
    const queue = await openQueue(t, place(jobs));
    await queue.submit(made);
    faulty = isFaulty;
    await Promise.all(workers.map((worker) => worker.start()));
    const status = await endOf(queue, made.job.id);
    t.like(status, { originsDone: 25, progress: { state: 'complete', failures: [] } }, jobs);
    for (const worker of workers) await worker.kill();
    await queue.close();
    results.push(await hashesOf(server.file(`${jobs}/${made.job.id}`)));
  }
  t.deepEqual(results[1], results[0]);
  t.is(Object.keys(results[0] ?? {}).length, 27);
  t.true(seen.faults > 30, JSON.stringify(seen));
});
