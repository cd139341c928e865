/** Conventions of every resource: paths, methods, media types, cross-origin access, compression. */

import test from 'ava';
import { FakeGraph } from '../support/fake-graph.js';
import { rawStatus } from '../support/raw-status.js';
import { startApp } from '../support/test-app.js';

const PLAN = '/routers/poa/plan?fromPlace=-30.03,-51.23&toPlace=-30.06,-51.18';

const start = (t: Parameters<typeof startApp>[0]) => startApp(t, [{ id: 'poa', graph: new FakeGraph() }]);

for (const [accept, expected] of [
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/xml', 'application/xml'],
  ['text/xml', 'text/xml'],
  ['text/*', 'text/xml'],
  ['application/xml, application/json', 'application/json'],
  ['application/xml;q=0.9, application/json;q=0.2', 'application/xml'],
  ['application/json;q=0.9, application/xml;q=0.2', 'application/json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/xml'],
  ['application/json;q=0, */*', 'application/xml'],
  ['APPLICATION/XML', 'application/xml'],
  ['nonsense', 'application/json'],
] as const) {
  test(`Accept: ${accept} gives ${expected}`, async (t) => {
    const app = await start(t);
    const response = await app.get(PLAN, accept === undefined ? {} : { accept });
    t.is(response.status, 200);
    t.is(response.headers.get('content-type'), expected);
  });
}

for (const accept of ['text/html', 'application/pdf', 'application/json;q=0', 'image/*']) {
  test(`Accept: ${accept} is not acceptable`, async (t) => {
    const app = await start(t);
    for (const path of [PLAN, '/routers', '/routers/poa', '/']) {
      const response = await app.get(path, { accept });
      t.is(response.status, 406, path);
      t.is(response.headers.get('content-type'), 'text/plain');
    }
  });
}

test('unknown paths are 404, unknown methods 405, both in plain text', async (t) => {
  const app = await start(t);
  for (const path of ['/bogus', '/Routers', '/routers/poa/PLAN', '/routers/poa/plan/more', '/application.wsdl']) {
    const response = await app.get(path);
    t.is(response.status, 404, path);
    t.is(response.headers.get('content-type'), 'text/plain');
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const response = await app.request(PLAN, { method });
    t.is(response.status, 405, method);
    t.regex(response.headers.get('allow') ?? '', /GET/);
    t.is(response.headers.get('content-type'), 'text/plain');
  }
});

test('a trailing slash, matrix parameters, escapes and an empty router id are understood', async (t) => {
  const app = await start(t);
  for (const path of ['/routers/', '/routers/poa/', '/routers/poa/plan/', '/routers;a=b', '/routers/p%6Fa', '/']) {
    t.is(await rawStatus(app.base, path), 200, path);
  }
  t.is(await rawStatus(app.base, '/routers//plan'), 200);
  t.is(await rawStatus(app.base, ''), 200);
});

test('slashes that an address and a path both have are read as one', async (t) => {
  const app = await start(t);
  const { origin, pathname } = new URL(app.base);
  for (const path of ['//', '//routers/poa', '//routers//poa//plan', '///routers///plan', '/routers/poa//plan//']) {
    t.is(await rawStatus(origin, pathname + path), path.includes('routers//poa') ? 404 : 200, path);
    t.is(await rawStatus(origin, `/${pathname}${path}`), path.includes('routers//poa') ? 404 : 200, `/${path}`);
  }
  t.is(await rawStatus(app.base, '//routers/poa/index/stops/1%2FA'), 404, 'a slash in an id');
  t.is(await rawStatus(origin, '//metrics'), 404, 'what a proxy hides by its path');
  const read = { origin: 'http://example.com' };
  const answer = await fetch(`${origin}/${pathname}/routers`, { headers: read });
  t.is(answer.headers.get('access-control-allow-origin'), read.origin);
});

test('malformed targets are 400', async (t) => {
  const app = await start(t);
  for (const path of [
    '/routers/%zz',
    '/routers/a%00b',
    '/routers/..%2Frouters',
    '/routers/%ff',
    `/routers/poa/plan?x=${'a'.repeat(9000)}`,
  ]) {
    t.is(await rawStatus(app.base, path), 400, path.slice(0, 30));
  }
  t.true([400, 431].includes(await rawStatus(app.base, `/routers?${'a'.repeat(100_000)}`)));
});

test('HEAD has the headers of GET and no body', async (t) => {
  const app = await start(t);
  const response = await app.request('/routers/poa', { method: 'HEAD' });
  t.is(response.status, 200);
  t.is(response.headers.get('content-type'), 'application/json');
  t.true(Number(response.headers.get('content-length')) > 100);
  t.is(await response.text(), '');
});

test('any page may read any answer', async (t) => {
  const app = await start(t);
  for (const path of [PLAN, '/routers/nowhere', '/bogus']) {
    const answer = await app.get(path, { origin: 'http://example.com' });
    t.is(answer.headers.get('access-control-allow-origin'), 'http://example.com', path);
    t.is(answer.headers.get('access-control-allow-credentials'), 'false');
  }
  t.is((await app.get(PLAN)).headers.get('access-control-allow-origin'), null);
});

test('OPTIONS never reaches a resource', async (t) => {
  const app = await start(t);
  const plain = await app.request('/routers/nowhere', { method: 'OPTIONS' });
  t.is(plain.status, 200);
  t.is(await plain.text(), '');
  t.is(plain.headers.get('access-control-allow-method'), null);
  const preflight = await app.request(PLAN, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://example.com',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-foo',
    },
  });
  t.is(preflight.headers.get('access-control-allow-origin'), 'http://example.com');
  t.is(preflight.headers.get('access-control-allow-headers'), 'x-foo');
  t.is(preflight.headers.get('access-control-allow-method'), 'GET,POST');
  t.regex(preflight.headers.get('access-control-allow-methods') ?? '', /GET.*POST/);
});

test('large answers are compressed on request', async (t) => {
  const app = await start(t);
  t.is((await app.get(PLAN, { 'accept-encoding': 'gzip' })).headers.get('content-encoding'), 'gzip');
  t.is((await app.get(PLAN, { 'accept-encoding': 'identity' })).headers.get('content-encoding'), null);
  t.is((await app.get('/routers/nowhere', { 'accept-encoding': 'gzip' })).headers.get('content-encoding'), null);
});
