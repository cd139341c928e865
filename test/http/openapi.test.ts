import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { XMLParser } from 'fast-xml-parser';
import { describeInterface, openApiRoutes } from '../../src/http/resources/description/openapi.js';
import { describeAsWadl, wadlRoutes } from '../../src/http/resources/description/wadl.js';
import type { Route } from '../../src/http/route.js';
import { ROUTES } from '../../src/http/routes.js';
import { answerCheck, received } from '../support/described-answers.js';
import { startApp } from '../support/test-app.js';

test('every row of the route table is described, and nothing else', async (t) => {
  const { paths } = (await describeInterface(ROUTES, '/otp')) as { paths: Record<string, Record<string, any>> };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  t.deepEqual(described.sort(), ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
});

test('operations have ids of their own, path parameters and, where needed, credentials', async (t) => {
  const { paths } = (await describeInterface(ROUTES, '/otp')) as { paths: Record<string, Record<string, any>> };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  t.is(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  const post = paths['/routers/{routerId}']?.post;
  t.deepEqual(post.parameters[0], { name: 'routerId', in: 'path', required: true, schema: { type: 'string' } });
  t.deepEqual(Object.keys(post.requestBody.content), ['application/octet-stream', 'application/zip']);
  t.truthy(post.security);
  t.is(paths['/routers']?.get.security, undefined);
});

test('every body has a schema, as generators of clients leave out operations without one', async (t) => {
  const { paths } = (await describeInterface(ROUTES, '/otp')) as { paths: Record<string, Record<string, any>> };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const bodies = operations.flatMap(({ operationId, requestBody }) =>
    Object.entries<any>(requestBody?.content ?? {}).map(([type, { schema }]) => [`${operationId} ${type}`, schema]),
  );
  t.deepEqual(
    bodies.filter(([, schema]) => schema?.type === undefined).map(([body]) => body),
    [],
  );
  const described = Object.fromEntries(bodies);
  t.deepEqual(described['post-routers-routerId application/zip'], { type: 'string', format: 'binary' });
  t.deepEqual(described['post-routers-routerId-index-graphql application/graphql'], { type: 'string' });
  t.deepEqual(described['post-scripting-run multipart/form-data'].required, ['scriptfile']);
});

test('the description and its page are served and load nothing from other servers', async (t) => {
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

/** A document with attributes as members, and lists wherever an element may be repeated. */
const wadl = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  isArray: (name) => ['resource', 'method', 'param', 'option', 'representation'].includes(name),
});

test('the WADL document has every row with its parameters and media types', async (t) => {
  const { application } = wadl.parse(await describeAsWadl(ROUTES, 'http://host/otp/'));
  t.is(application.xmlns, 'http://wadl.dev.java.net/2009/02');
  t.is(application.resources.base, 'http://host/otp/');
  const described = application.resources.resource.flatMap(({ path, method }: any) =>
    method.map(({ name, request }: any) => [`${name} ${path}`, (request?.param ?? []).map((param: any) => param.name)]),
  );
  const rows = ROUTES.map(({ method, path, query = {} }) => [
    `${method} ${path.replace(/:(\w+)/g, '{$1}').replace(/^\/(?=.)/, '')}`,
    Object.keys(query),
  ]);
  t.deepEqual(described.sort(), rows.sort());
});

test('parameters of the WADL document have types, defaults and choices', async (t) => {
  const { application } = wadl.parse(await describeAsWadl(ROUTES, 'http://host/otp/'));
  const find = (path: string) => application.resources.resource.find((resource: any) => resource.path === path);
  const plan = find('routers/{routerId}/plan');
  t.like(plan.param, [{ name: 'routerId', style: 'template', type: 'xs:string', required: 'true' }]);
  const parameters = plan.method[0].request.param;
  t.like(
    parameters.find(({ name }: any) => name === 'arriveBy'),
    { style: 'query', type: 'xs:boolean', default: 'false' },
  );
  const { option } = parameters.find(({ name }: any) => name === 'optimize');
  t.true(option.some(({ value }: any) => value === 'TRIANGLE'));
  const stored = find('routers/{routerId}').method.find(({ name }: any) => name === 'POST');
  t.deepEqual(stored.request.representation, [
    { mediaType: 'application/octet-stream' },
    { mediaType: 'application/zip' },
  ]);
});

test('the WADL document is served with the address that the client used', async (t) => {
  const app = await startApp(t, []);
  const response = await app.get('/application.wadl');
  t.is(response.status, 200);
  t.is(response.headers.get('Content-Type'), 'application/vnd.sun.wadl+xml');
  t.is(wadl.parse(await response.text()).application.resources.base, `${app.base}/`);
});

test('every operation that answers JSON has a schema of its answer; where a text is labelled as JSON, the description says so', async (t) => {
  const { paths } = (await describeInterface(ROUTES, '/otp')) as { paths: Record<string, Record<string, any>> };
  for (const route of ROUTES) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const { content, description } = paths[path]?.[route.method.toLowerCase()]?.responses[200] ?? {};
    const mayBeUnquoted = route.answer === 'unquoted text' || route.unquotedText !== undefined;
    t.is(/unquoted text/.test(description), mayBeUnquoted, `${route.method} ${path}`);
    for (const [mediaType, { schema }] of Object.entries<{ schema?: unknown }>(content)) {
      if (/json$/.test(mediaType))
        t.is(schema === undefined, route.answer === 'unquoted text', `${route.method} ${path}`);
    }
  }
});

test('schemas with the same name are the same', async (t) => {
  const { ANSWERS } = await import('../../src/serialization/answers/index.js');
  const byTitle = new Map<string, unknown>();
  const visit = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { title, '~optional': _, ...members } = schema as { title?: unknown; '~optional'?: unknown };
    if (typeof title === 'string') t.deepEqual(JSON.stringify(byTitle.get(title) ?? members), JSON.stringify(members));
    if (typeof title === 'string') byTitle.set(title, members);
    Object.values(schema).forEach(visit);
  };
  visit(ANSWERS);
  t.true(byTitle.size > 50);
});

test('the page about the interface lists the rows of the table', async (t) => {
  const script = fileURLToPath(new URL('../../../scripts/list-resources.mjs', import.meta.url));
  await t.notThrowsAsync(promisify(execFile)(process.execPath, [script, '--check']));
});

test('the check of answers notices headers that are not described, missing or wrong', async (t) => {
  const check = await answerCheck();
  const answer = (status: number, headers: Record<string, string>) =>
    check({
      method: 'GET',
      target: '/surfaces/1/raster',
      status,
      mediaType: '',
      text: '',
      headers: new Headers(headers),
    });
  const id = { 'X-Request-Id': 'a' };
  t.deepEqual(answer(200, { ...id, 'Raster-Bounds': '1,2.5,-3,4e-7', Vary: 'Origin' }), []);
  const said = (status: number, headers: Record<string, string>) => answer(status, headers).join();
  t.regex(said(200, id), /Raster-Bounds is missing$/);
  t.regex(said(200, { ...id, 'Raster-Bounds': '1,2' }), /Raster-Bounds: 1,2 /);
  t.regex(said(200, { ...id, 'Raster-Bounds': '1,2,3,4', 'X-Other': 'x' }), /x-other is not described$/);
  t.regex(said(503, id), /Retry-After is missing$/);
  t.regex(said(503, { ...id, 'Retry-After': '0' }), /Retry-After: 0 /);
});

test('the check of answers notices JSON without a schema, and takes an unquoted text only where one is described', async (t) => {
  const check = await answerCheck();
  const answer = (target: string, text: string) =>
    check({ method: 'GET', target, status: 200, mediaType: 'application/json', text }).join();
  t.is(answer('/routers/r/rrtr', 'OK\n'), '');
  t.is(answer('/routers/r/rrtr', '{"stops":1,"slower":0,"lost":0,"secondsLost":0}'), '');
  t.regex(answer('/routers/r/rrtr', '{"stops":1}'), /must have required property 'slower'/);
  t.is(answer('/routers/r/index/services', 'none'), '');
  t.regex(answer('/routers/r/index/services', '{"id":"a"}'), /JSON without a schema$/);
});

test('a refusal for want of credentials has the header that is described', async (t) => {
  const app = await startApp(t, []);
  const answer = await app.request('/routers', { method: 'PUT' });
  t.is(answer.status, 401);
  t.deepEqual((await answerCheck())(await received(answer, 'PUT', '/routers')), []);
});

/** The answer of a description, as a client of `host` sees it. */
async function described(row: Route | undefined, host: string): Promise<string> {
  const state = { origin: { https: false }, mediaType: '' };
  const ctx = { state, get: () => host, set: () => {}, body: undefined as unknown };
  await row?.handler(ctx as never, { config: { mount: '/otp' } } as never, undefined as never);
  return String(ctx.body);
}

test('descriptions are made once, whatever address clients use', async (t) => {
  let made = 0;
  const routes = () => {
    made += 1;
    return ROUTES;
  };
  const [json] = openApiRoutes(routes);
  t.is(await described(json, 'a'), await described(json, 'b'));
  t.is(made, 1);
  const [xml] = wadlRoutes(routes);
  for (const host of ['a', 'b"<&']) {
    const { application } = wadl.parse(await described(xml, host), true);
    t.is(
      application.resources.base.replaceAll(/&#(\d+);/g, (_: string, n: string) => String.fromCharCode(+n)),
      `http://${host}/otp/`,
    );
  }
  t.is(made, 2);
});

test('a description that could not be made is made with the next request', async (t) => {
  for (const rows of [openApiRoutes, wadlRoutes]) {
    let broken = 1;
    const route = {
      ...ROUTES[0],
      get path(): string {
        if (broken-- > 0) throw new Error('no memory');
        return '/';
      },
    };
    const [row] = rows(() => [route as Route]);
    await t.throwsAsync(described(row, 'a'), { message: 'no memory' });
    t.regex(await described(row, 'a'), /otp/);
  }
});
