/** Requests of which the latest counts. */

import { mock } from 'node:test';
import test from 'ava';
import { LatestRequest } from '../../src/client/state/latest-request.js';

const REFUSED = new TypeError('no connection');

test('a request that fails when it is repeated keeps its last value, and another one has none', async (t) => {
  const latest = new LatestRequest<number>();
  let answer: () => Promise<number> = async () => 1;
  const request = () => answer();
  await latest.run(request);
  t.deepEqual(latest.status.value, { running: false, value: 1 });
  answer = () => Promise.reject(REFUSED);
  const repeated = latest.retry();
  t.deepEqual(latest.status.value, { running: true, value: 1 });
  await repeated;
  t.deepEqual(latest.status.value, { running: false, value: 1, problem: { kind: 'unreachable' } });
  const again = latest.retry();
  t.deepEqual(latest.status.value, { running: true, value: 1, problem: { kind: 'unreachable' } });
  await again;
  t.deepEqual(latest.status.value, { running: false, value: 1, problem: { kind: 'unreachable' } });
  await latest.run(() => Promise.reject(REFUSED));
  t.deepEqual(latest.status.value, { running: false, value: undefined, problem: { kind: 'unreachable' } });
  const withoutValue = latest.retry();
  t.deepEqual(latest.status.value, { running: true, value: undefined, problem: { kind: 'unreachable' } });
  await withoutValue;
  answer = async () => 2;
  const another = latest.run(request);
  t.deepEqual(latest.status.value, { running: true, value: undefined }, 'a problem of another request');
  await another;
  t.deepEqual(latest.status.value, { running: false, value: 2 });
});

test('a regular request is not due while one runs, and less and less soon after failures', async (t) => {
  let now = 0;
  t.teardown(() => mock.restoreAll());
  mock.method(performance, 'now', () => now);
  const latest = new LatestRequest<number>();
  let answer: () => Promise<number> = () => Promise.reject(REFUSED);
  const request = () => answer();
  t.true(latest.isDue);
  const running = latest.run(request);
  t.false(latest.isDue);
  await running;
  /** Whether it is due after so many seconds. */
  const dueAfter = (...seconds: number[]) => {
    const since = now;
    const due = seconds.map((wait) => {
      now = since + wait * 1000;
      return latest.isDue;
    });
    return due;
  };
  t.deepEqual(dueAfter(3.7, 5.1), [false, true]);
  await latest.run(request);
  t.deepEqual(dueAfter(7.4, 10.1), [false, true]);
  for (let more = 0; more < 9; more += 1) await latest.run(request);
  t.deepEqual(dueAfter(44.9, 60.1), [false, true]);
  answer = async () => 1;
  await latest.run(request);
  t.true(latest.isDue);
  answer = () => Promise.reject(REFUSED);
  await latest.run(request);
  t.deepEqual(dueAfter(3.7, 5.1), [false, true], 'after an answer they begin anew');
});
