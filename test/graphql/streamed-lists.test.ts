/** Very long lists are read while the answer is sent. */

import { once } from 'node:events';
import { request } from 'node:http';
import test from 'ava';
import type { Graph } from '../../src/native/types.js';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { GRAPHQL_PATH, JSON_BODY } from '../support/graphql.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const feed = builtBefore(test, buildSmallFeed);

/** What happened to a graph. */
interface Seen {
  /** Stops that were read, repeats included. */
  stops: number;
  open: number;
}

/** A graph with very many stops: those of the feed, repeated. */
function large(
  count: number,
  instead: Readonly<Record<string, unknown>> = {},
  seen: Seen = { stops: 0, open: 0 },
): Graph {
  const indices = feed.graph.list('stops');
  const graph: Graph = sharedGraph(feed.graph, {
    list: () => Uint32Array.from({ length: count }, (_, i) => indices[i % indices.length] ?? 0),
    // Rows are read once per query, so this counts what each part reads anew.
    relatedSync: (relation: 'stopRoutes', stops: Uint32Array) => {
      seen.stops += stops.length;
      return feed.graph.relatedSync(relation, stops);
    },
    snapshot: () => {
      seen.open += 1;
      return graph;
    },
    dispose: () => {
      seen.open -= 1;
    },
    ...instead,
  });
  return graph;
}

async function ask(t: Parameters<typeof startApp>[0], graph: Graph, query: string, rest: object = {}) {
  const app = await startApp(t, [{ id: 'default', graph }]);
  const body = JSON.stringify({ query, ...rest });
  const response = await app.request(GRAPHQL_PATH, { method: 'POST', headers: JSON_BODY, body });
  return { response, ...((await response.json()) as any) };
}

const QUERY = `query Q($with: Boolean!, $count: Int = 2) { all: stops { ...S ... on Stop { same: name } }
  stops { routes { shortName @include(if: $with) } stoptimesWithoutPatterns(numberOfDepartures: $count) { stopIndex } }
  last: stop(id: "1:b 2") { __typename } }
  fragment S on Stop { __typename id name cluster { stops { gtfsId } } }`;

test('very long lists have the same form as short ones', async (t) => {
  const variables = { with: true };
  const few = await ask(t, sharedGraph(feed.graph), QUERY, { variables });
  const many = await ask(t, large(2500), QUERY, { variables });
  t.deepEqual([few.errors, many.errors], [undefined, undefined]);
  const repeated = (stops: unknown[]) => Array.from({ length: 2500 }, (_, i) => stops[i % stops.length]);
  t.deepEqual(many.data.all, repeated(few.data.all));
  t.deepEqual(many.data.stops, repeated(few.data.stops));
  t.deepEqual([Object.keys(many.data), many.data.last], [['all', 'stops', 'last'], few.data.last]);
});

test('very long lists may be inside each other', async (t) => {
  const indices = feed.graph.list('stops');
  const relatedSync = (_: string, stops: Uint32Array) => ({
    offsets: Uint32Array.from({ length: stops.length + 1 }, (_, i) => 1500 * i),
    values: Uint32Array.from({ length: 1500 * stops.length }, (_, i) => indices[i % indices.length] ?? 0),
  });
  const { data, errors } = await ask(
    t,
    large(1001, { relatedSync, list: () => indices }),
    '{ stops { stops { gtfsId } } }',
  );
  t.is(errors, undefined);
  const { data: own } = await ask(t, sharedGraph(feed.graph), '{ stops { gtfsId } }');
  for (const { stops } of data.stops) {
    t.is(stops.length, 1500);
    t.deepEqual(
      stops
        .slice(-indices.length)
        .map(({ gtfsId }: any) => gtfsId)
        .toSorted(),
      own.stops.map(({ gtfsId }: any) => gtfsId).toSorted(),
    );
  }
});

test('a radius with very many stops has them all', async (t) => {
  const indices = feed.graph.list('stops');
  const near = (count: number) => ({
    stopsWithinWalk: async () => ({
      stops: Uint32Array.from({ length: count }, (_, i) => indices[i % indices.length] ?? 0),
      distances: Float64Array.from({ length: count }, (_, i) => i),
    }),
  });
  for (const count of [250, 251, 1000]) {
    const { data, errors } = await ask(
      t,
      large(1, near(count)),
      '{ stopsByRadius(lat: 41, lon: -8.6, radius: 5000) { edges { node { distance stop { gtfsId } } } } }',
    );
    t.is(errors, undefined);
    const { edges } = data.stopsByRadius;
    t.deepEqual(
      edges.map(({ node }: any) => node.distance),
      Array.from({ length: count }, (_, i) => i),
    );
    t.regex(edges.at(-1).node.stop.gtfsId, /^1:/);
  }
});

test('errors in very long lists have a path', async (t) => {
  let batches = 0;
  const relatedSync = (relation: 'stopRoutes', stops: Uint32Array) => {
    batches += 1;
    if (batches === 3) throw new Error('secret');
    return feed.graph.relatedSync(relation, stops);
  };
  const { data, errors, response } = await ask(
    t,
    large(1200, { relatedSync }),
    '{ viewer { s: stops { name r: routes { shortName } } } }',
  );
  t.is(response.status, 200);
  t.is(data.viewer.s.length, 1200);
  t.deepEqual(data.viewer.s[128].r, null);
  t.deepEqual(errors[0].path, ['viewer', 's', 128, 'r']);
  t.deepEqual(errors[0].locations, [{ line: 1, column: 28 }]);
  t.regex(errors[0].message, /internal error/);
  t.is(errors.length, 1);
});

test('a query that exceeds its limit late ends its list with an error', async (t) => {
  const relatedSync = (relation: 'stopRoutes', stops: Uint32Array) => {
    const found = feed.graph.relatedSync(relation, stops);
    if (seen.stops > 28_000)
      return {
        offsets: Uint32Array.from({ length: stops.length + 1 }, (_, i) => i * 1e6),
        values: new Uint32Array(1e6),
      };
    seen.stops += stops.length;
    return found;
  };
  const seen = { stops: 0, open: 0 };
  const { data, errors, response } = await ask(
    t,
    large(40_000, { relatedSync }, seen),
    '{ stops { id name gtfsId routes { id gtfsId shortName } } agencies { name } }',
  );
  t.is(response.status, 200);
  t.true(data.stops.length > 20_000 && data.stops.length < 40_000, `${data.stops.length}`);
  t.deepEqual(errors.length, 1);
  t.regex(errors[0].message, /reads more than/);
  await until(() => seen.open === 0);
  t.pass();
});

test('nothing more is read when the client has left', async (t) => {
  const seen = { stops: 0, open: 0 };
  const total = 300_000;
  const app = await startApp(t, [{ id: 'default', graph: large(total, {}, seen) }]);
  const query = encodeURIComponent('{ stops { id gtfsId name routes { id gtfsId shortName } } }');
  const sent = request(`${app.base}${GRAPHQL_PATH}?query=${query}`);
  sent.end();
  const [response] = await once(sent, 'response');
  await once(response, 'data');
  t.is(seen.open, 1);
  t.true(seen.stops < total / 2, `${seen.stops} of ${total} were read before the first byte was sent`);
  response.on('error', () => {}).destroy();
  await until(() => seen.open === 0);
  t.true(seen.stops < total / 2, `${seen.stops} of ${total} were read`);
});
