/** Several GraphQL queries in one request. */

import test from 'ava';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { GRAPHQL_PATH, JSON_BODY } from '../support/graphql.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { startApp } from '../support/test-app.js';

const feed = builtBefore(test, buildSmallFeed);
const PATH = `${GRAPHQL_PATH}/batch`;

const serve = (t: Parameters<typeof startApp>[0], instead: Record<string, unknown> = {}) =>
  startApp(t, [{ id: 'default', graph: sharedGraph(feed.graph, instead) }]);

type App = Awaited<ReturnType<typeof serve>>;

const post = (app: App, body: string, headers: Record<string, string> = JSON_BODY) =>
  app.request(PATH, { method: 'POST', headers, body });

async function ask(app: App, queries: readonly unknown[]): Promise<any> {
  const response = await post(app, JSON.stringify(queries));
  return { status: response.status, type: response.headers.get('content-type'), answers: await response.json() };
}

const NAMES = 'query Stop($id: String!) { stop(id: $id) { name } }';

test('each query is answered, in order and under its id', async (t) => {
  const app = await serve(t);
  const { status, type, answers } = await ask(app, [
    { id: 'q1', query: NAMES, variables: { id: '1:b 2' }, operationName: 'Stop' },
    { id: 2, query: NAMES, variables: '{"id":"9:x"}' },
    { query: '{ viewer { __typename } }' },
    { id: null, query: '{ bogus }' },
    { id: 'last', query: '{ stop(id: "x") { name } }' },
  ]);
  t.deepEqual([status, type], [200, 'application/json']);
  t.deepEqual(answers.slice(0, 3), [
    { id: 'q1', payload: { data: { stop: { name: 'Oak 100%' } } } },
    { id: 2, payload: { data: { stop: null } } },
    { payload: { data: { viewer: { __typename: 'QueryType' } } } },
  ]);
  t.is(answers[3].id, null);
  t.like(answers[3].payload.errors[0], { validationErrorType: 'FieldUndefined' });
  t.like(answers[4].payload, { data: { stop: null } });
  t.like(answers[4].payload.errors[0], { errorType: 'DataFetchingException' });
  t.deepEqual((await ask(app, [])).answers, []);
});

test('long answers follow each other, all from one state of live data', async (t) => {
  const indices = feed.graph.list('stops');
  const count = 20_000;
  let states = 0;
  const instead: Record<string, unknown> = {
    list: () => Uint32Array.from({ length: count }, (_, i) => indices[i % indices.length] ?? 0),
    snapshot: () => {
      states += 1;
      return sharedGraph(feed.graph, instead);
    },
  };
  const app = await serve(t, instead);
  const { answers } = await ask(app, [
    { id: 1, query: '{ stops { gtfsId name lat lon } }' },
    { id: 2, query: NAMES, variables: { id: '1:b 2' } },
    { id: 3, query: '{ stops { gtfsId } }' },
  ]);
  t.deepEqual([answers[0].id, answers[1].id, answers[2].id], [1, 2, 3]);
  t.true(JSON.stringify(answers[0]).length > 1 << 20);
  t.is(answers[0].payload.errors, undefined);
  t.is(answers[0].payload.data.stops.length, count);
  t.deepEqual(answers[1].payload, { data: { stop: { name: 'Oak 100%' } } });
  t.is(answers[2].payload.data.stops.length, count);
  t.is(states, 1);
});

test('the queries of a batch have the limits of one query together', async (t) => {
  const app = await serve(t);
  const plans = Array.from({ length: 15 }, (_, i) => `p${i}: plan(fromPlace: "0,0", toPlace: "1,1") { date }`);
  const query = `{ ${plans.join(' ')} }`;
  const { status, answers } = await ask(app, [{ query }, { query }, { query: '{ viewer { __typename } }' }]);
  t.is(status, 200);
  t.is(answers[0].payload.errors, undefined);
  for (const { payload } of answers.slice(1)) {
    t.is(payload.data, undefined);
    t.like(payload.errors[0], { validationErrorType: 'LimitExceeded' });
  }
});

for (const [body, headers, status] of [
  ['{"query":"{ viewer { __typename } }"}', JSON_BODY, 400],
  ['[1]', JSON_BODY, 400],
  ['[{"query":"{ viewer { __typename } }"},{"id":1}]', JSON_BODY, 400],
  ['[{"query":"{ viewer { __typename } }","variables":"x"}]', JSON_BODY, 400],
  ['[', JSON_BODY, 400],
  [JSON.stringify(Array(101).fill({ query: '{ viewer { __typename } }' })), JSON_BODY, 413],
  ['{ viewer { __typename } }', { 'Content-Type': 'application/graphql' }, 415],
] as const) {
  test(`the batch ${body.slice(0, 60)} gets ${status}`, async (t) => {
    t.is((await post(await serve(t), body, headers)).status, status);
  });
}

test('batches are only posted, and only to registered routers', async (t) => {
  const app = await serve(t);
  t.is((await app.get(PATH)).status, 405);
  const response = await app.request(PATH.replace('default', 'nope'), {
    method: 'POST',
    headers: JSON_BODY,
    body: '[]',
  });
  t.is(response.status, 404);
});
