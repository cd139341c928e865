/** GraphQL over HTTP, on a real graph of a few lines. */

import { gzipSync } from 'node:zlib';
import test from 'ava';
import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import type { Graph } from '../../src/native/types.js';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { busTrip } from '../support/fake-graph.js';
import { GRAPHQL_PATH, JSON_BODY } from '../support/graphql.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { startApp, type TestApp } from '../support/test-app.js';

const feed = builtBefore(test, buildSmallFeed);

const NOON = Date.UTC(2024, 9, 9, 6) / 1000;

const serve = (t: Parameters<typeof startApp>[0], graph = sharedGraph(feed.graph)): Promise<TestApp> =>
  startApp(t, [{ id: 'default', graph }]);
const post = (app: TestApp, body: string, headers: Record<string, string> = JSON_BODY) =>
  app.request(GRAPHQL_PATH, { method: 'POST', headers, body });
const ask = async (app: TestApp, query: string, rest: object = {}): Promise<any> =>
  (await post(app, JSON.stringify({ query, ...rest }))).json();

test('entities, relations and calls', async (t) => {
  const app = await serve(t);
  const query = `{ stop(id: "1:b 2") { id name cluster { name } routes { gtfsId agency { name } }
    stoptimesForPatterns(startTime: "${NOON}", numberOfDepartures: 1) {
      pattern { code headsign } stoptimes { scheduledDeparture stopIndex trip { gtfsId route { shortName } } } } } }`;
  t.deepEqual((await ask(app, query)).data.stop, {
    id: Buffer.from('Stop:1:b 2').toString('base64'),
    name: 'Oak 100%',
    cluster: { name: 'OAK 100%' },
    routes: [{ gtfsId: '1:R:1', agency: { name: 'Agência' } }],
    stoptimesForPatterns: [
      {
        pattern: { code: '1:R:1:0:01', headsign: 'End' },
        stoptimes: [
          { scheduledDeparture: 29_460, stopIndex: 1, trip: { gtfsId: '1:T#1', route: { shortName: '10' } } },
        ],
      },
    ],
  });
});

test('unknown entities are null, lists keep their places', async (t) => {
  const app = await serve(t);
  const query = '{ stop(id: "9:x") { name } stops(ids: ["1:a:1", "9:x", "1:ç%"]) { gtfsId } cluster(id: "C9") { id } }';
  const { data } = await ask(app, query);
  t.deepEqual(data, { stop: null, stops: [{ gtfsId: '1:a:1' }, null, { gtfsId: '1:ç%' }], cluster: null });
});

test('a trip with frequencies is in its pattern once per row, and in its route once', async (t) => {
  const rows = 'back,9:00:00,10:00:00,600\nback,15:00:00,16:00:00,600';
  const tables = { 'frequencies.txt': `trip_id,start_time,end_time,headway_secs\n${rows}` };
  const { graph, remove } = await buildSmallFeed(tables);
  t.teardown(remove);
  const app = await serve(t, sharedGraph(graph));
  const query = '{ pattern(id: "1:R:1:1:01") { trips { gtfsId } } route(id: "1:R:1") { trips { gtfsId } } }';
  const { pattern, route } = (await ask(app, query)).data;
  const ids = (trips: { gtfsId: string }[]) => trips.map(({ gtfsId }) => gtfsId).sort();
  t.deepEqual(ids(pattern.trips), ['1:back', '1:back']);
  t.deepEqual(ids(route.trips), ['1:T 2', '1:T#1', '1:back']);
});

test('global ids lead back to their entity', async (t) => {
  const app = await serve(t);
  const node = async (id: string) => (await ask(app, `{ node(id: "${id}") { __typename id } }`)).data.node;
  for (const [type, entity] of [
    ['Stop', '1:ç%'],
    ['Trip', '1:T 2'],
    ['Pattern', '1:R:1:1:01'],
    ['Agency', 'AG'],
  ]) {
    const id = Buffer.from(`${type}:${entity}`).toString('base64');
    t.deepEqual(await node(id), { __typename: type, id });
  }
  t.is(await node(Buffer.from('Nothing:1').toString('base64')), null);
});

/** The calls that a server makes on each graph when it begins to serve it. */
const AT_START = ['checked', 'info', 'prepareStreets'];

/** A graph that records the look-ups in its snapshots, some of them with other answers. */
function counted(calls: string[], instead: Readonly<Record<string, unknown>> = {}): Graph {
  return new Proxy(feed.graph, {
    get(target, name, proxy) {
      if (name === 'snapshot') return () => proxy;
      if (name === 'dispose') return () => {};
      const member = instead[String(name)] ?? Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        if (!AT_START.includes(String(name)))
          calls.push(name === 'findSync' ? `find ${args[0]}` : String(name).replace(/Sync$/, ''));
        return member.apply(target, args);
      };
    },
  });
}

test('one call of the engine per list field', async (t) => {
  const calls: string[] = [];
  const app = await serve(t, counted(calls));
  await ask(
    app,
    '{ stops { name routes { shortName } stoptimesWithoutPatterns(startTime: "1728453600") { trip { gtfsId } } } }',
  );
  t.deepEqual(calls.toSorted(), ['list', 'related', 'routes', 'stopTimes', 'stops', 'trips']);
  calls.length = 0;
  await ask(app, '{ stops { transfers { distance stop { name } } } trips { geometry } patterns { geometry { lat } } }');
  const kinds = [...new Set(calls)].toSorted();
  t.deepEqual(kinds, ['list', 'patternPoints', 'stops', 'transfers', 'trips']);
  t.deepEqual([calls.filter((name) => name === 'transfers').length, calls.length <= 9], [1, true]);
});

test('the legs of a plan are read together', async (t) => {
  const calls: string[] = [];
  const outcome = JSON.parse(
    JSON.stringify(busTrip()).replaceAll('2:15', '1:R:1').replaceAll('2:T1', '1:T#1').replaceAll('2:7', '1:b 2'),
  );
  outcome.plan.itineraries.push(structuredClone(outcome.plan.itineraries[0]), outcome.plan.itineraries[0]);
  const app = await serve(t, counted(calls, { plan: async () => outcome }));
  const { data } = await ask(
    app,
    `{ plan(fromPlace: "41,-8.6", toPlace: "41.02,-8.6") { itineraries { legs { route { shortName agency { name } }
      trip { gtfsId pattern { code } } from { stop { name } } to { stop { name routes { gtfsId } } } } } } }`,
  );
  const [, ride] = data.plan.itineraries[2].legs;
  t.deepEqual(ride, {
    route: { shortName: '10', agency: { name: 'Agência' } },
    trip: { gtfsId: '1:T#1', pattern: { code: '1:R:1:0:01' } },
    from: { stop: null },
    to: { stop: { name: 'Oak 100%', routes: [{ gtfsId: '1:R:1' }] } },
  });
  const expected = ['plan', 'find routes', 'find stops', 'find trips', 'routes', 'stops', 'trips', 'agencies'];
  t.deepEqual(calls.toSorted(), [...expected, 'patterns', 'related'].toSorted());
});

test('GET, a bare query, variables as text, several operations', async (t) => {
  const app = await serve(t);
  const query = 'query A($id: String!) { stop(id: $id) { name } } query B { viewer { agency(id: "AG") { gtfsId } } }';
  const named = await app.json(`${GRAPHQL_PATH}?query=${encodeURIComponent(query)}&operationName=B`);
  t.deepEqual(named.data, { viewer: { agency: { gtfsId: 'AG' } } });
  t.is((await ask(app, query, { variables: '{"id":"1:ç%"}', operationName: 'A' })).data.stop.name, 'End');
  t.is((await ask(app, query, { variables: { id: '1:ç%' } })).data.stop.name, 'End');
  const bare = await post(app, '{ __typename }', { 'Content-Type': 'application/graphql' });
  t.deepEqual(await bare.json(), { data: { __typename: 'QueryType' } });
  const skipped = await ask(app, '{ routes { gtfsId mode @include(if: false) } }');
  t.deepEqual(skipped.data.routes, [{ gtfsId: '1:R:1' }]);
});

test('variables may be numbers for texts and texts for numbers', async (t) => {
  const app = await serve(t);
  const stops = `query Q($south: Float!, $n: Int, $from: String, $ids: [String]) {
    stopsByBbox(minLat: $south, minLon: -9, maxLat: 42, maxLon: -8) {
      stoptimesForPatterns(startTime: $from, numberOfDepartures: $n) { stoptimes { serviceDay } }
    }
    stops(ids: $ids) { name }
  }`;
  const asked = { south: 41.015, n: 1, from: '1728453600', ids: ['1:7', '1:ç%'] };
  const expected = await ask(app, stops, { variables: asked });
  t.is(expected.data.stopsByBbox.length, 1);
  t.is(expected.data.stopsByBbox[0].stoptimesForPatterns[0].stoptimes.length, 1);
  const otherwise = { south: '41.015', n: '1', from: 1728453600, ids: ['1:7', '1:ç%'] };
  t.deepEqual(await ask(app, stops, { variables: otherwise }), expected);
  const numbers = await ask(app, 'query Q($ids: [String]) { stops(ids: $ids) { name } }', { variables: { ids: [7] } });
  t.regex(numbers.errors[0].message, /"7" is not of the form feed:id/);
  for (const n of ['', ' ', 'x', '1.5']) {
    const { errors } = await ask(app, stops, { variables: { ...asked, n } });
    t.is(errors[0].validationErrorType, 'VariableTypeMismatch', n);
  }
});

test('introspection serves present and old clients', async (t) => {
  const app = await serve(t);
  const { data } = await ask(app, getIntrospectionQuery());
  t.is(buildClientSchema(data).getQueryType()?.name, 'QueryType');
  const old = await ask(app, '{ __schema { directives { name onOperation onFragment onField } } }');
  const include = old.data.__schema.directives.find(({ name }: any) => name === 'include');
  t.deepEqual(include, { name: 'include', onOperation: false, onFragment: true, onField: true });
});

for (const [query, errorType, kind] of [
  ['{ stops { name }', 'InvalidSyntax', undefined],
  ['', 'InvalidSyntax', undefined],
  ['{ bogus }', 'ValidationError', 'FieldUndefined'],
  ['{ stops(name: "x") { name } }', 'ValidationError', 'UnknownArgument'],
  ['{ stops }', 'ValidationError', 'SubSelectionRequired'],
  ['query Q($id: Int) { stop(id: $id) { name } }', 'ValidationError', 'VariableTypeMismatch'],
  ['query Q($id: String!) { stop(id: $id) { name } }', 'ValidationError', 'Other'],
  ['mutation { __typename }', 'ValidationError', 'Other'],
  ['subscription { __typename }', 'ValidationError', 'Other'],
  [`{ stops ${'{ cluster { stops '.repeat(9)}{ name }${' } }'.repeat(9)} }`, 'ValidationError', 'LimitExceeded'],
  [`{ ${'a: __typename '.repeat(9000)} }`, 'InvalidSyntax', undefined],
  [`{ stops(ids: ${'['.repeat(9000)}`, 'InvalidSyntax', undefined],
  [`{ stops(ids: ${'{a:'.repeat(5000)}1${'}'.repeat(5000)}) { name } }`, 'InvalidSyntax', undefined],
  [`${'{ stops '.repeat(5000)}{ name }${'}'.repeat(5000)}`, 'InvalidSyntax', undefined],
  [`query($a: ${'['.repeat(5000)}Int${']'.repeat(5000)}) { stops { name } }`, 'InvalidSyntax', undefined],
  [`{ ${'stops { name } '.repeat(300)} }`, 'ValidationError', 'LimitExceeded'],
  [`{ ${'... { __typename } '.repeat(300)} }`, 'ValidationError', 'LimitExceeded'],
] as const) {
  test(`${query.slice(0, 60)} is refused as ${kind ?? errorType}`, async (t) => {
    const app = await serve(t);
    const response = await post(app, JSON.stringify({ query }));
    t.is(response.status, 400);
    const body: any = await response.json();
    t.deepEqual([body.errors[0].errorType, body.errors[0].validationErrorType], [errorType, kind]);
    t.false('data' in body);
    t.notRegex(JSON.stringify(body), /node_modules|\.ts:|\.js:/);
  });
}

test('a field that fails is null, and the others are answered', async (t) => {
  const app = await serve(t);
  const response = await post(
    app,
    JSON.stringify({ query: '{ a: stop(id: "bad") { name } b: stop(id: "1:ç%") { name } }' }),
  );
  t.is(response.status, 200);
  const { data, errors }: any = await response.json();
  t.deepEqual(data, { a: null, b: { name: 'End' } });
  t.like(errors[0], { errorType: 'DataFetchingException', path: ['a'] });
});

for (const [body, headers, status] of [
  ['{not json', JSON_BODY, 400],
  ['[]', JSON_BODY, 400],
  ['{}', JSON_BODY, 400],
  ['{"query":5}', JSON_BODY, 400],
  ['{"query":"{viewer{__typename}}","variables":"{"}', JSON_BODY, 400],
  ['{ routes { id } }', { 'Content-Type': 'text/plain' }, 415],
  [JSON.stringify({ query: ' '.repeat(1_100_000) }), JSON_BODY, 413],
  ['{"query":"{__typename}"}', { ...JSON_BODY, Accept: 'application/xml' }, 406],
] as const) {
  test(`the body ${body.slice(0, 40)} gets ${status}`, async (t) => {
    const app = await serve(t);
    t.is((await post(app, body, headers)).status, status);
  });
}

test('bodies are unpacked, and refused when they are too long', async (t) => {
  const app = await serve(t);
  const body = gzipSync(JSON.stringify({ query: '{ viewer { __typename } }' }));
  const headers = { ...JSON_BODY, 'Content-Encoding': 'gzip' };
  const response = await app.request(GRAPHQL_PATH, { method: 'POST', headers, body });
  t.deepEqual(await response.json(), { data: { viewer: { __typename: 'QueryType' } } });
  const long = await post(app, JSON.stringify({ query: `{ viewer { __typename } } #${'-'.repeat(1_000_000)}` }));
  t.is(long.status, 413);
});

test('the nearest stops come in pages', async (t) => {
  const app = await serve(t);
  const page = async (args: string) => {
    const query = `{ stopsByRadius(lat: 41.0001, lon: -8.6, radius: 1000${args}) {
      edges { node { distance stop { gtfsId } } cursor } pageInfo { hasNextPage hasPreviousPage endCursor } } }`;
    return (await ask(app, query)).data.stopsByRadius;
  };
  const all = await page('');
  t.deepEqual(
    all.edges.map((edge: any) => edge.node.stop.gtfsId),
    ['1:a:1', '1:b 2'],
  );
  t.is(Buffer.from(all.edges[1].cursor, 'base64').toString(), 'simple-cursor1');
  const first = await page(', first: 1');
  t.deepEqual([first.edges.length, first.pageInfo.hasNextPage, first.pageInfo.hasPreviousPage], [1, true, false]);
  const second = await page(`, after: "${first.pageInfo.endCursor}"`);
  t.deepEqual([second.edges[0].node.stop.gtfsId, second.pageInfo.hasPreviousPage], ['1:b 2', true]);
  t.deepEqual((await page(', agency: "2"')).edges, []);
});

test('a plan names its stops and trips, or why there is none', async (t) => {
  const app = await serve(t);
  const plan = async (args: string) =>
    (await ask(app, `{ plan(${args}) { itineraries { legs { mode trip { gtfsId } } } error { message } } }`)).data.plan;
  const none = await plan('fromPlace: "0,0", toPlace: "1,1", date: "2024-10-09", time: "8:00"');
  t.deepEqual(none.itineraries, []);
  t.is(typeof none.error.message, 'string');
});

test('plans are counted: a query can request only a limited number', async (t) => {
  const app = await serve(t);
  const many = Array.from({ length: 30 }, (_, i) => `p${i}: plan(fromPlace: "0,0", toPlace: "1,1") { date }`);
  const response = await post(app, JSON.stringify({ query: `{ ${many.join(' ')} }` }));
  t.is(response.status, 400);
  const { data, errors }: any = await response.json();
  t.is(data, undefined);
  t.is(errors.length, 1);
  t.like(errors[0], { errorType: 'ValidationError', validationErrorType: 'LimitExceeded' });
  t.regex(errors[0].message, /reads more than/);
});

test('a query that reads too much ends at once', async (t) => {
  const indices = feed.graph.list('stops');
  const repeated = (count: number) => Uint32Array.from({ length: count }, (_, i) => indices[i % indices.length] ?? 0);
  const relatedSync = (_: string, entities: Uint32Array) => ({
    offsets: Uint32Array.from({ length: entities.length + 1 }, (_, i) => 250 * i),
    values: repeated(250 * entities.length),
  });
  const app = await serve(t, counted([], { list: () => repeated(250), relatedSync }));
  const response = await post(app, JSON.stringify({ query: '{ stops { routes { stops { gtfsId } } } }' }));
  const { data, errors }: any = await response.json();
  t.deepEqual([response.status, data, errors.length], [400, undefined, 1]);
  t.like(errors[0], { validationErrorType: 'LimitExceeded' });
});

test('places beyond the earth have no stops around them', async (t) => {
  const app = await serve(t);
  for (const place of ['lat: 1e308, lon: -1e308', 'lat: 91, lon: 0', 'lat: -1e15, lon: 1e15']) {
    const { data } = await ask(app, `{ stopsByRadius(${place}, radius: 500) { edges { cursor } } }`);
    t.deepEqual(data, { stopsByRadius: { edges: [] } });
  }
});

test('whole lists are read in turns, and other requests are served in between', async (t) => {
  const indices = feed.graph.list('stops');
  const list = () => Uint32Array.from({ length: 3000 }, (_, i) => indices[i % indices.length] ?? 0);
  const app = await serve(t, counted([], { list }));
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 1);
  const { data } = await ask(app, '{ stops { gtfsId routes { shortName patterns { name } } } }');
  clearInterval(counting);
  t.is(data.stops.length, 3000);
  t.true(turns > 3, `${turns} turns`);
});

test('short lists in short lists are read in turns as well', async (t) => {
  const indices = feed.graph.list('stops');
  const repeated = (count: number) => Uint32Array.from({ length: count }, (_, i) => indices[i % indices.length] ?? 0);
  const relatedSync = (_: string, entities: Uint32Array) => ({
    offsets: Uint32Array.from({ length: entities.length + 1 }, (_, i) => 30 * i),
    values: repeated(30 * entities.length),
  });
  const app = await serve(t, counted([], { list: () => repeated(30), relatedSync }));
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 1);
  const { data, errors } = await ask(app, '{ stops { routes { stops { gtfsId name code desc url } } } }');
  clearInterval(counting);
  t.deepEqual([errors, data.stops[29].routes[29].stops.length], [undefined, 30]);
  t.true(turns > 3, `${turns} turns`);
});

test('browsers get a page that needs no other server', async (t) => {
  const app = await serve(t);
  const page = await app.get(GRAPHQL_PATH, { accept: 'text/html,*/*;q=0.8' });
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
  t.notRegex(await page.text(), /https?:/);
  for (const [name, type] of [
    ['page.js', 'text/javascript'],
    ['completion.js', 'text/javascript'],
    ['page.css', 'text/css'],
  ]) {
    const file = await app.get(`${GRAPHQL_PATH}/page/${name}`);
    t.deepEqual([file.status, file.headers.get('content-type')], [200, `${type}; charset=utf-8`]);
    t.notRegex(await file.text(), /https?:/);
  }
  t.is((await app.get(`${GRAPHQL_PATH}/page/other.js`)).status, 404);
  const slashed = await app.get(`${GRAPHQL_PATH}/?query=1`, { accept: 'text/html' });
  t.is(new URL(slashed.url).search, '?query=1');
  t.regex(slashed.url, /graphql\?query=1$/);
});
