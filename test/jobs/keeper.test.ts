/** Which process looks after the jobs of a queue. */

import test from 'ava';
import { FolderPlace } from '../../src/jobs/folder-files.js';
import { OpenJobStates } from '../../src/jobs/open-job-states.js';
import { QueuedJobs } from '../../src/jobs/queued-jobs.js';
import { HAS_REDIS, startRedis } from '../support/redis-server.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

/** Longer than any test. */
const LONG_MS = 600_000;

const withRedis = HAS_REDIS ? test.serial : test.serial.skip;

withRedis('a keeper that ends leaves the jobs to another one at once', async (t) => {
  const { url } = await startRedis(t);
  const redis = { url, prefix: 'test' };
  const queue = new QueuedJobs({ place: new FolderPlace(await temporaryDirectory(t)), redis });
  const states = new OpenJobStates(redis);
  await Promise.all([queue.open(), states.open()]);
  t.teardown(() => states.close());
  await until(async () => !(await states.hold('another', 1)));
  await queue.close();
  t.true(await states.hold('another', LONG_MS));
  await states.release('somebody else');
  t.false(await states.hold('a third', LONG_MS), 'nobody gives up the right of another one');
});
