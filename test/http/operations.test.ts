import { get, type IncomingMessage } from 'node:http';
import test from 'ava';
import { RateLimiter } from '../../src/server/rate-limit.js';
import { answerCheck, received } from '../support/described-answers.js';
import { busTrip, FakeGraph } from '../support/fake-graph.js';
import { gate } from '../support/gate.js';
import { startApp } from '../support/test-app.js';

const PLAN = '/routers/a/plan?fromPlace=0,0&toPlace=1,1';

test('health says whether the server lives and whether it is ready', async (t) => {
  const app = await startApp(t, [{ id: 'a', graph: new FakeGraph() }]);
  const health = async (kind: string) => (await fetch(new URL(`/health/${kind}`, app.base))).status;
  t.is(await health('live'), 200);
  t.is(await health('ready'), 200);
  app.deps.startup.done = false;
  t.is(await health('ready'), 503);
  app.deps.startup.done = true;
  app.deps.draining.begin();
  t.is(await health('ready'), 503);
  t.is(await health('live'), 200);
});

test('the metrics name routes of the table, never paths of requests', async (t) => {
  const app = await startApp(t, [{ id: 'a', graph: new FakeGraph() }]);
  await app.get(PLAN);
  await app.get('/no/such/path');
  const figures = await (await fetch(new URL('/metrics', app.base))).text();
  t.regex(figures, /trestle_http_requests_total\{method="GET",route="\/routers\/:routerId\/plan",status="200"\} 1/);
  t.regex(figures, /trestle_http_requests_total\{method="GET",route="none",status="404"\} 1/);
  t.regex(figures, /^trestle_routers 1$/m);
  // Also before the first failure: an alert is for the increase.
  t.regex(figures, /^trestle_graph_loads_total\{outcome="failed"\} 0$/m);
  t.notRegex(figures, /such/);
});

test('every answer carries a request id; a harmless one of the client is kept', async (t) => {
  const app = await startApp(t, []);
  t.regex((await app.get('/routers')).headers.get('X-Request-Id') ?? '', /^[0-9a-f-]{36}$/);
  const kept = await app.get('/routers', { 'X-Request-Id': 'abc-1' });
  t.is(kept.headers.get('X-Request-Id'), 'abc-1');
  const replaced = await app.get('/routers', { 'X-Request-Id': 'a b"c' });
  t.not(replaced.headers.get('X-Request-Id'), 'a b"c');
});

test('a bug answers 500 with its request id and no stack', async (t) => {
  const graph = new FakeGraph({}, () => {
    throw new Error('secret detail');
  });
  const app = await startApp(t, [{ id: 'a', graph }]);
  const response = await app.get(PLAN, { 'X-Request-Id': 'r1' });
  t.is(response.status, 500);
  t.is(await response.text(), 'Internal error (request r1)\n');
});

test('searches beyond the limits get 503 with a time for the next try; the others are answered', async (t) => {
  const searching = gate();
  const graph = new FakeGraph({}, async () => {
    await searching.promise;
    return busTrip();
  });
  const flags = { maxThreads: 2, maxQueuedSearches: 3 };
  const app = await startApp(t, [{ id: 'a', graph }], { flags });
  let answered = 0;
  const asked = Array.from({ length: 12 }, async () => {
    const answer = await app.get(PLAN);
    answered += 1;
    if (answered === 7) searching.open();
    return answer;
  });
  const answers = await Promise.all(asked);
  const served = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status }) => status === 503);
  // Queued searches are answered, unless the twelve took so long to arrive that this is no longer a burst.
  t.is(served + refused.length, 12);
  t.true(served >= 2 && served <= 5, `${served} served`);
  const check = await answerCheck();
  for (const answer of refused) t.deepEqual(check(await received(answer, 'GET', PLAN)), []);
  t.is((await app.get(PLAN)).status, 200);
});

test('a share of requests refills with time', (t) => {
  let now = 0;
  const limiter = new RateLimiter(60, 10, () => now);
  for (let i = 0; i < 60; i += 1) t.is(limiter.take('x'), 0);
  t.is(limiter.take('x'), 1);
  t.is(limiter.take('y'), 0);
  now += 2000;
  t.is(limiter.take('x'), 0);
  t.is(limiter.take('x'), 0);
  t.is(limiter.take('x'), 1);
});

test('a client beyond its share gets 429', async (t) => {
  const app = await startApp(t, [], { flags: { maxRequestsPerMinute: 3 } });
  const check = await answerCheck();
  const statuses = [];
  for (let i = 0; i < 4; i += 1) {
    const answer = await app.get('/routers');
    statuses.push(answer.status);
    t.deepEqual(check(await received(answer, 'GET', '/routers')), []);
  }
  t.deepEqual(statuses, [200, 200, 200, 429]);
});

test('an answer that did not change is not sent again', async (t) => {
  const app = await startApp(t, [{ id: 'a', graph: new FakeGraph() }]);
  const first = await app.get('/routers');
  const tag = first.headers.get('ETag') ?? '';
  t.not(tag, '');
  const { statusCode: status = 0, headers: sent } = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'If-None-Match': tag, 'Accept-Encoding': 'gzip, deflate, br' };
    get(`${app.base}/routers`, { headers }, (response) => resolve(response.resume())).on('error', reject);
  });
  t.is(status, 304);
  const headers = new Headers(sent as Record<string, string>);
  const answer = { method: 'GET', target: '/routers', status, mediaType: '', text: '', headers };
  t.deepEqual((await answerCheck())(answer), []);
});

test('large answers are compressed as the client prefers', async (t) => {
  const app = await startApp(t, [{ id: 'a', graph: new FakeGraph() }]);
  const plan = async (encoding: string) =>
    (await app.get(PLAN, { 'Accept-Encoding': encoding })).headers.get('Content-Encoding');
  t.is(await plan('gzip'), 'gzip');
  t.is(await plan('br'), 'br');
  t.is(await plan('identity'), null);
});
