/** Requests of which the latest counts. */

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
