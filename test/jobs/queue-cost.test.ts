/** The cost of the queue for a job, with a real Redis. */

import path from 'node:path';
import test from 'ava';
import { HAS_REDIS, startRedis } from '../support/redis-server.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const withRedis = HAS_REDIS ? test : test.skip;

withRedis('the queue takes less than 3 % of the processor time of parts of two seconds', async (t) => {
  const { costOfQueue, MOST_COST, PARTS } = await import(
    new URL('../../../scripts/queue-cost.mjs', import.meta.url).href
  );
  const { url } = await startRedis(t);
  const folder = path.join(await temporaryDirectory(t), 'waiting');
  // The parts wait for less than two seconds, which changes nothing of what the queue has to do for them. The processor
  // time is measured, because it depends little on what else the machine does.
  const { processor, seconds, least } = await costOfQueue({ redis: url, folder, partSeconds: 0.2 });
  t.log(`${processor.toFixed(2)} s for ${PARTS} parts, in ${seconds.toFixed(2)} instead of ${least.toFixed(2)} s`);
  t.is(MOST_COST, 0.03);
  t.true(processor < MOST_COST * PARTS * 2, `${processor} s`);
});
