import test from 'ava';
import { describeInterface } from '../../src/http/openapi.js';
import { ROUTES } from '../../src/http/routes.js';
import { startApp } from '../support/test-app.js';

test('every row of the route table is described, and nothing else', (t) => {
  const { paths } = describeInterface(ROUTES, '/otp') as { paths: Record<string, Record<string, any>> };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  t.deepEqual(described.sort(), ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
});

test('operations have ids of their own, path parameters and, where needed, credentials', (t) => {
  const { paths } = describeInterface(ROUTES, '/otp') as { paths: Record<string, Record<string, any>> };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  t.is(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  const post = paths['/routers/{routerId}']?.post;
  t.deepEqual(post.parameters[0], { name: 'routerId', in: 'path', required: true, schema: { type: 'string' } });
  t.deepEqual(Object.keys(post.requestBody.content), ['application/octet-stream', 'application/zip']);
  t.truthy(post.security);
  t.is(paths['/routers']?.get.security, undefined);
});

test('the description and its page are served and need nothing from elsewhere', async (t) => {
  const app = await startApp(t, []);
  t.is((await app.json('/openapi.json')).openapi, '3.1.0');
  const page = await app.get('/docs');
  t.regex(page.headers.get('Content-Type') ?? '', /^text\/html/);
  t.regex(page.headers.get('Content-Security-Policy') ?? '', /default-src 'self'/);
  t.notRegex(await page.text(), /https?:/);
  const script = await app.get('/docs.js');
  t.regex(script.headers.get('Content-Type') ?? '', /javascript/);
  t.notRegex(await script.text(), /https?:/);
});
