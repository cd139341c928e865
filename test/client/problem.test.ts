/** How the page describes answers with an error status. */

import test from 'ava';
import { isRefused, isRefusedWith, isTemporary, problemOfStatus, RequestFailed } from '../../src/client/api/problem.js';
import { startApp } from '../support/test-app.js';

test('a refusal has the code that it begins with', (t) => {
  t.deepEqual(problemOfStatus(404, 'JOBS_OFF: start it\n'), {
    kind: 'refused',
    text: 'JOBS_OFF: start it',
    code: 'JOBS_OFF',
  });
  t.deepEqual(problemOfStatus(400, 'fromPlace: missing'), { kind: 'refused', text: 'fromPlace: missing' });
  t.deepEqual(problemOfStatus(400, 'VertexNotFoundException: vertices not found: [from]'), { kind: 'offMap' });
  t.deepEqual(problemOfStatus(507, ''), { kind: 'refused', text: 'status 507' });
  t.deepEqual(problemOfStatus(503, 'JOBS_OFF: not now'), { kind: 'busy' });
});

test('what a server refuses is distinguished from what it may send later', (t) => {
  for (const status of [400, 401, 403, 404]) {
    t.true(isRefused(new RequestFailed(problemOfStatus(status, ''), status)), `${status}`);
  }
  for (const status of [429, 500, 502, 503]) {
    t.false(isRefused(new RequestFailed(problemOfStatus(status, ''), status)), `${status}`);
  }
  t.false(isRefused(new TypeError('no connection')));
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

test('a router that the server does not have is gone', async (t) => {
  const { get } = await startApp(t, []);
  for (const path of ['isochrone?fromPlace=41,-8&cutoffSec=600', 'geocode?query=a', 'serviceDays', 'alerts']) {
    const answer = await get(`/routers/r/${path}`);
    t.deepEqual(problemOfStatus(answer.status, await answer.text()), { kind: 'gone' }, path);
  }
});

test('a server that starts or is too busy may answer later; a refusal is final', (t) => {
  const kinds = [502, 503, 429, 504, 404, 400, 500].map((status) => isTemporary(problemOfStatus(status, '')));
  t.deepEqual(kinds, [true, true, true, true, false, false, false]);
  t.false(isTemporary(problemOfStatus(400, 'VertexNotFoundException: vertices not found: [from]')));
});
