import { createHash } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import type { ServerFlags } from '../../src/config/server-config.js';
import { hashPassword, readCredentials } from '../../src/server/authenticator.js';
import { FakeGraph } from '../support/fake-graph.js';
import { startApp } from '../support/test-app.js';

const BEHIND_PROXY = { 'X-Forwarded-For': '203.0.113.9' };
const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

async function setUp(t: ExecutionContext, flags: ServerFlags = {}) {
  const users = [
    { name: 'ada', password: await hashPassword('right: horse'), roles: ['ROLE_ROUTERS'] },
    { name: 'bob', password: await hashPassword('weak'), roles: [] },
  ];
  const tokens = [{ name: 'ci', sha256: createHash('sha256').update('t0ken').digest('hex'), roles: ['ROUTERS'] }];
  const app = await startApp(t, [{ id: 'a', graph: new FakeGraph() }], { flags: { users, tokens, ...flags } });
  const call = async (method: string, target: string, headers: Record<string, string> = {}) => {
    const response = await app.request(target, { method, headers });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  return { app, call };
}

test('reading the registry needs no credentials, changing it does', async (t) => {
  const { call } = await setUp(t);
  t.is((await call('GET', '/routers')).status, 200);
  for (const [method, target] of [
    ['PUT', '/routers'],
    ['DELETE', '/routers'],
    ['PUT', '/routers/a'],
    ['POST', '/routers/a'],
    ['DELETE', '/routers/a'],
    ['POST', '/routers/save'],
  ] as const) {
    const { status, headers } = await call(method, target);
    t.is(status, 401, `${method} ${target}`);
    t.is(headers.get('WWW-Authenticate'), 'Basic realm="OpenTripPlanner"');
  }
  t.is((await call('GET', '/routers/a')).status, 200);
});

test('a password and a token with the role give access, a missing role does not', async (t) => {
  const { call } = await setUp(t);
  t.is((await call('DELETE', '/routers/nowhere', basic('ada', 'right: horse'))).status, 404);
  t.is((await call('DELETE', '/routers/nowhere', { Authorization: 'Bearer t0ken' })).status, 404);
  t.is((await call('DELETE', '/routers/a', basic('bob', 'weak'))).status, 403);
});

test('wrong credentials are refused on every path', async (t) => {
  const { call } = await setUp(t);
  for (const [user, password] of [
    ['ada', 'wrong'],
    ['nobody', 'right: horse'],
  ] as const) {
    const { status, text, headers } = await call('GET', '/routers', basic(user, password));
    t.is(status, 401);
    t.is(text, `Incorrect password for OpenTripPlanner user '${user}'`);
    t.is(headers.get('WWW-Authenticate'), 'Basic realm="OpenTripPlanner"');
  }
  t.is((await call('GET', '/routers', { Authorization: 'Bearer wrong' })).status, 401);
});

test('there is no built-in account', async (t) => {
  const app = await startApp(t, []);
  const init = { method: 'DELETE', headers: basic('ROUTERS', 'ultra_secret') };
  t.is((await app.request('/routers', init)).status, 401);
});

test('credentials over plain HTTP are refused when a proxy has passed them on', async (t) => {
  const { call } = await setUp(t);
  const { status, text } = await call('GET', '/routers', { ...basic('ada', 'right: horse'), ...BEHIND_PROXY });
  t.is(status, 401);
  t.is(text, 'OpenTripPlanner refuses to do basic auth without transport layer security (HTTPS).');
});

test('a trusted proxy vouches for HTTPS; one that says nothing or http does not', async (t) => {
  const { call } = await setUp(t, { trustedProxies: ['127.0.0.0/8'] });
  const ada = { ...basic('ada', 'right: horse'), ...BEHIND_PROXY };
  t.is((await call('DELETE', '/routers/nowhere', { ...ada, 'X-Forwarded-Proto': 'https' })).status, 404);
  t.is((await call('DELETE', '/routers/nowhere', { ...ada, 'X-Forwarded-Proto': 'https, http' })).status, 401);
  t.is((await call('DELETE', '/routers/nowhere', ada)).status, 401);
});

test('guessing is slowed down', async (t) => {
  const { call } = await setUp(t);
  const statuses = [];
  // The share grows by one every three seconds.
  for (let i = 0; i < 60 && statuses.at(-1) !== 429; i += 1) {
    statuses.push((await call('GET', '/routers', { Authorization: `Bearer guess${i}` })).status);
  }
  t.is(statuses[0], 401);
  t.is(statuses.at(-1), 429);
});

/** Headers of a client behind a trusted proxy. */
const from = (client: string) => ({ 'X-Forwarded-For': client, 'X-Forwarded-Proto': 'https' });

test('many wrong passwords at once count one by one, and do not delay other clients', async (t) => {
  const { call } = await setUp(t, { trustedProxies: ['127.0.0.0/8'] });
  const guesses = Array.from({ length: 300 }, async (_, i) => {
    return (await call('GET', '/routers', { ...basic('ada', `guess ${i}`), ...from('203.0.113.9') })).status;
  });
  const ada = basic('ada', 'right: horse');
  t.is((await call('GET', '/routers', { ...ada, ...from('198.51.100.7') })).status, 200);
  const statuses = await Promise.all(guesses);
  // Twenty, and one more for every three seconds that the test takes.
  const checked = statuses.filter((status) => status === 401).length;
  t.true(checked >= 20 && checked < 60, `${checked} were checked`);
  t.is(statuses.filter((status) => status === 429).length, 300 - checked);
  // Known users pass at the address of the guesses as well; a new one has to wait.
  t.is((await call('GET', '/routers', { ...ada, ...from('203.0.113.9') })).status, 200);
  t.is((await call('GET', '/routers', { Authorization: 'Bearer t0ken', ...from('203.0.113.9') })).status, 200);
});

test('correct passwords do not use up the share', async (t) => {
  const { call } = await setUp(t);
  for (let i = 0; i < 15; i += 1) {
    t.is((await call('GET', '/routers', basic('bob', 'weak'))).status, 200);
    t.is((await call('GET', '/routers', basic('ada', `wrong ${i}`))).status, 401);
  }
});

test('--insecure opens everything', async (t) => {
  const { call } = await setUp(t, { insecure: true });
  t.is((await call('DELETE', '/routers/a')).status, 200);
});

test('credentials that cannot be read count as none', (t) => {
  t.is(readCredentials(undefined).kind, 'none');
  t.is(readCredentials('Digest abc').kind, 'none');
  t.is(readCredentials(`Basic ${Buffer.from('nocolon').toString('base64')}`).kind, 'none');
  t.deepEqual(readCredentials(basic('a', 'b:c').Authorization), { kind: 'basic', user: 'a', password: 'b:c' });
});

test('headers tell browsers what they may do', async (t) => {
  const { call } = await setUp(t);
  const { headers } = await call('GET', '/routers', { Origin: 'http://page.example' });
  t.is(headers.get('X-Content-Type-Options'), 'nosniff');
  t.is(headers.get('Content-Security-Policy'), "default-src 'none'; frame-ancestors 'none'");
  t.is(headers.get('Access-Control-Allow-Origin'), 'http://page.example');
  const restricted = await setUp(t, { corsOrigins: ['https://mine.example'] });
  const other = await restricted.call('GET', '/routers', { Origin: 'http://page.example' });
  t.is(other.headers.get('Access-Control-Allow-Origin'), null);
});

test('a page of another origin cannot use the password or the reach of a browser', async (t) => {
  const page = { Origin: 'https://evil.example' };
  const { call } = await setUp(t, { corsOrigins: ['*', 'https://mine.example'] });
  t.is((await call('DELETE', '/routers/nowhere', { ...basic('ada', 'right: horse'), ...page })).status, 403);
  const open = await setUp(t, { insecure: true });
  t.is((await open.call('DELETE', '/routers/a', page)).status, 403);
  const own = { Origin: new URL(open.app.base).origin };
  t.is((await open.call('DELETE', '/routers/nowhere', own)).status, 404);
  const asked = { ...page, 'Access-Control-Request-Method': 'DELETE' };
  const { headers } = await call('OPTIONS', '/routers/a', asked);
  t.is(headers.get('Access-Control-Allow-Credentials'), 'false');
  t.notRegex(headers.get('Access-Control-Allow-Methods') ?? '', /DELETE/);
  const mine = await call('OPTIONS', '/routers/a', { ...asked, Origin: 'https://mine.example' });
  t.regex(mine.headers.get('Access-Control-Allow-Methods') ?? '', /DELETE/);
});

test('bodies and queries have limits', async (t) => {
  const { app, call } = await setUp(t, { insecure: true, maxBodyBytes: 10 });
  t.is((await app.request('/routers/a', { method: 'PUT', body: 'x'.repeat(11) })).status, 413);
  const { status } = await call('GET', `/routers/a/plan?x=${'a'.repeat(9000)}`);
  t.true(status === 400 || status === 414);
});
