/** How jobs end, and how fast they are. */

import test from 'ava';
import type { Job } from '../../src/jobs/job.js';
import { endOf, type JobProgress, MOST_FAILURES, NOT_BEGUN, statusOf } from '../../src/jobs/status.js';

for (const [parts, made, failed, isCancelled, end] of [
  [20, 19, 0, false, undefined],
  [20, 20, 0, false, 'complete'],
  [20, 20, 0, true, 'complete'],
  [20, 19, 0, true, 'cancelled'],
  [20, 19, 1, false, 'failed'],
  [20, 0, MOST_FAILURES - 1, false, undefined],
  [20, 0, MOST_FAILURES, false, 'failed'],
] as const) {
  test(`${made} made and ${failed} failed of ${parts} parts${isCancelled ? ', cancelled' : ''}: ${end}`, (t) => {
    t.is(endOf(parts, made, failed, isCancelled), end);
  });
}

const JOB = { origins: 25, partOrigins: 10 } as Job;
const START = Date.parse('2026-11-23T08:00:00Z');

/** What a status says about the origins of a job with this progress, 10 s after it has begun. */
function speed(progress: Partial<JobProgress>) {
  const started = new Date(START).toISOString();
  const status = statusOf(JOB, { ...NOT_BEGUN, state: 'running', started, ...progress }, '/jobs/a', START + 10_000);
  const { parts, originsDone, originsPerSecond, remainingSeconds } = status;
  return { parts, originsDone, originsPerSecond, remainingSeconds };
}

for (const [what, progress, originsDone, originsPerSecond, remainingSeconds] of [
  ['has not begun', { started: undefined }, 0, undefined, undefined],
  ['has made nothing', {}, 0, undefined, undefined],
  ['has made a part', { partsDone: 1 }, 10, 1, 15],
  ['has made parts before this run only', { partsDone: 1, partsBefore: 1 }, 10, undefined, undefined],
  ['was resumed', { partsDone: 2, partsBefore: 1 }, 20, 1, 5],
  ['has made all parts', { partsDone: 3 }, 25, 2.5, 0],
  ['is complete', { partsDone: 3, state: 'complete', ended: '2026-11-23T08:00:05Z' }, 25, 5, undefined],
] as const) {
  test(`the speed of a job that ${what}`, (t) => {
    t.deepEqual(speed(progress), { parts: 3, originsDone, originsPerSecond, remainingSeconds });
  });
}
