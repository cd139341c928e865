/** Which process looks after the jobs of a queue. */

import test from 'ava';
import { JobBoard } from '../../src/jobs/board.js';
import { FolderPlace } from '../../src/jobs/folder-files.js';
import { QueuedJobs } from '../../src/jobs/queued-jobs.js';
import { HAS_REDIS, startRedis } from '../support/redis-server.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const withRedis = HAS_REDIS ? test.serial : test.serial.skip;

withRedis('a keeper that ends leaves the jobs to another one at once', async (t) => {
  const { url } = await startRedis(t);
  const redis = { url, prefix: 'test' };
  const queue = new QueuedJobs({ place: new FolderPlace(await temporaryDirectory(t)), redis });
  const board = new JobBoard(redis);
  await Promise.all([queue.open(), board.open()]);
  t.teardown(() => board.close());
  await until(async () => !(await board.hold('another', 1)));
  await queue.close();
  t.true(await board.hold('another', 1000));
  await board.release('somebody else');
  t.false(await board.hold('a third', 1000), 'nobody gives up the right of another one');
});
