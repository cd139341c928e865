/** How the page describes answers with an error status. */

import test from 'ava';
import { isRefusedWith, problemOfStatus, RequestFailed } from '../../src/client/api/problem.js';
import { startApp } from '../support/test-app.js';

test('a refusal has the code that it begins with', (t) => {
  t.deepEqual(problemOfStatus(404, 'JOBS_OFF: start it\n'), {
    kind: 'refused',
    text: 'JOBS_OFF: start it',
    code: 'JOBS_OFF',
  });
  t.deepEqual(problemOfStatus(400, 'fromPlace: missing'), { kind: 'refused', text: 'fromPlace: missing' });
  t.deepEqual(problemOfStatus(400, 'vertices not found: [from] (no street is near it)'), { kind: 'offMap' });
  t.deepEqual(problemOfStatus(507, ''), { kind: 'refused', text: 'status 507' });
  t.deepEqual(problemOfStatus(503, 'JOBS_OFF: not now'), { kind: 'busy' });
});

test('a server without point sets and jobs is distinguished from one that fails', async (t) => {
  const { get } = await startApp(t, [], { flags: { insecure: true } });
  for (const [path, code] of [
    ['/pointsets', 'ANALYST_OFF'],
    ['/routers/r/jobs', 'JOBS_OFF'],
    ['/nowhere', undefined],
  ] as const) {
    const answer = await get(path);
    const error = new RequestFailed(problemOfStatus(answer.status, await answer.text()));
    t.is(answer.status, 404);
    for (const other of ['ANALYST_OFF', 'JOBS_OFF']) t.is(isRefusedWith(error, other), other === code, path);
  }
  t.false(isRefusedWith(new TypeError('JOBS_OFF: no connection'), 'JOBS_OFF'));
});
