/** Which process looks after the jobs of a queue. */

import test from 'ava';
import { FolderPlace } from '../../src/jobs/folder-files.js';
import { Keeper } from '../../src/jobs/keeper.js';
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

test('parts that stay missing although the queue is empty are added to it again', async (t) => {
  const [done, lost] = [1, [0, 2]];
  const state = { fed: 3, partsDone: 1, partsBefore: 0, failures: [], isCancelled: false };
  const states = {
    hold: async () => true,
    openIds: async () => ['a'],
    state: async () => state,
    doneParts: async () => new Set([done]),
    failedParts: async () => new Set(),
    setFed: async (_: string, fed: number) => {
      state.fed = fed;
    },
  };
  const added: (readonly number[])[] = [];
  const sizes = [0, 0, 1, 0, 0, 0];
  const queue = {
    size: async () => sizes.shift() ?? lost.length,
    add: async (_: string, parts: readonly number[]) => {
      added.push(parts);
    },
  };
  const cache = { get: async () => ({ id: 'a', origins: 3, partOrigins: 1, priority: 0 }) };
  const [place, fail] = [{ ids: async () => [] }, (error: unknown) => t.fail(String(error))];
  const keeper = new Keeper(place as never, states as never, queue as never, cache as never, fail);
  while (sizes.length > 0) {
    await keeper.check();
    t.deepEqual(added, []);
  }
  await keeper.check();
  t.deepEqual(added, [lost]);
  await keeper.check();
  t.deepEqual(added, [lost]);
});
