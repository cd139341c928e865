/** Queries that request far too much do not harm other clients. */

import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import type { Graph } from '../../src/native/types.js';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { gate } from '../support/gate.js';
import { GRAPHQL_PATH, JSON_BODY } from '../support/graphql.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { startApp } from '../support/test-app.js';
import { burn, turnsDuring } from '../support/turns.js';
import { until } from '../support/until.js';

const feed = builtBefore(test, buildSmallFeed);

/** The graph of the feed, with some members replaced. */
function changed(members: Readonly<Record<string, unknown>>): Graph {
  const graph: Graph = sharedGraph(feed.graph, { snapshot: () => graph, ...members });
  return graph;
}

const serve = (t: Parameters<typeof startApp>[0], members: Readonly<Record<string, unknown>> = {}, flags = {}) =>
  startApp(t, [{ id: 'default', graph: changed(members) }], { flags });

type App = Awaited<ReturnType<typeof serve>>;

const ask = (app: App, query: string) =>
  app.request(GRAPHQL_PATH, { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ query }) });

const aliases = (count: number, field: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => field(i)).join(' ');

test('searches of a query run one after the other, each in its turn among all searches', async (t) => {
  let running = 0;
  let most = 0;
  const admitted: number[] = [];
  const app: App = await serve(t, {
    stopsWithinWalk: async () => {
      running += 1;
      most = Math.max(most, running);
      admitted.push(app.deps.admission.state.running);
      await pause(1);
      running -= 1;
      return { stops: new Uint32Array(), distances: new Float64Array() };
    },
  });
  const search = (i: number) => `a${i}: stopsByRadius(lat: 41, lon: -8.6, radius: 5000) { edges { cursor } }`;
  const response = await ask(app, `{ ${aliases(60, search)} }`);
  t.deepEqual([response.status, admitted.length, most], [200, 60, 1]);
  t.deepEqual([...new Set(admitted)], [1]);
  t.is(app.deps.admission.state.rejected, 0);
});

test('rows that were read count, whether or not they are used', async (t) => {
  const rows = 60_000;
  let reads = 0;
  const stopTimesSync = (stops: Uint32Array) => {
    reads += 1;
    const times = feed.graph.stopTimesSync(stops, { startTime: 0, numberOfDepartures: 1 });
    return { ...times, trips: new Uint32Array(rows) };
  };
  const app = await serve(t, { stopTimesSync });
  const field = (i: number) => `a${i}: stoptimesForPatterns(startTime: "${1 + i}") { pattern { code } }`;
  const response = await ask(app, `{ stop(id: "1:b 2") { ${aliases(90, field)} } }`);
  const { errors }: any = await response.json();
  t.is(response.status, 400);
  t.like(errors[0], { validationErrorType: 'LimitExceeded' });
  t.true(reads <= 4, `${reads} reads of ${rows} rows`);
});

test('fields side by side let other requests run in between', async (t) => {
  const patternHashesSync = (patterns: Uint32Array) => {
    burn(5);
    return Array.from(patterns, () => 'h');
  };
  const app = await serve(t, { patternHashesSync });
  // A different pattern for each name, so that none reuses the hash that another one has read.
  const field = (i: number) => `a${i}: pattern(id: "1:R:1:0:01") { semanticHash }`;
  const [warm, query] = ['{ agencies { name } }', `{ ${aliases(60, field)} }`];
  await ask(app, warm);
  let response: Response | undefined;
  const turns = await turnsDuring(
    ask(app, query).then((got) => {
      response = got;
    }),
  );
  t.is(response?.status, 200);
  t.true(turns > 30, `${turns} turns`);
});

test('introspection counts and lets other requests run, too', async (t) => {
  const app = await serve(t);
  const inner = aliases(20, (i) => `b${i}: fields { name type { name } }`);
  const query = `{ __schema { types { ${aliases(20, (i) => `a${i}: fields { type { ${inner} } }`)} } } }`;
  const response = await ask(app, query);
  const { errors }: any = await response.json();
  t.is(response.status, 400);
  t.regex(errors[0].message, /holds more than/);
  const names = await ask(app, `{ stops { ${aliases(3000, (i) => `a${i}: __typename`)} } }`);
  t.is(names.status, 200);
});

test('a query ends with its client', async (t) => {
  let searches = 0;
  const stopsWithinWalk = async (_lat: number, _lon: number, _radius: number, { signal }: { signal: AbortSignal }) => {
    searches += 1;
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    throw Object.assign(new Error('stopped'), { code: 'ABORTED' });
  };
  const app = await serve(t, { stopsWithinWalk });
  const search = (i: number) => `a${i}: stopsByRadius(lat: 41, lon: -8.6, radius: 5000) { edges { cursor } }`;
  const sent = request(`${app.base}${GRAPHQL_PATH}`, { method: 'POST', headers: JSON_BODY });
  sent.on('error', () => {}).end(JSON.stringify({ query: `{ ${aliases(50, search)} }` }));
  await until(() => searches === 1);
  sent.destroy();
  await until(() => app.deps.admission.state.running === 0);
  await until(() => app.deps.registry.list().length === 1);
  t.is(searches, 1);
});

test('few large queries run at once; small ones do not wait for them', async (t) => {
  const indices = feed.graph.list('stops');
  const end = gate();
  const app = await serve(
    t,
    {
      list: () => Uint32Array.from({ length: 200 }, (_, i) => indices[i % indices.length] ?? 0),
      // The search at the end of a large query lasts until the test releases it.
      stopsWithinWalk: async () => {
        await end.promise;
        return { stops: new Uint32Array(), distances: new Float64Array() };
      },
    },
    { maxQueueWaitMs: 60_000, maxThreads: 64 },
  );
  const large = `{ stops { ${aliases(100, (i) => `a${i}: name`)} }
    stopsByRadius(lat: 41, lon: -8.6, radius: 500) { edges { cursor } } }`;
  const asked = Array.from({ length: 30 }, () => ask(app, large));
  const { largeQueries } = app.deps;
  await until(() => largeQueries.state.rejected > 0);
  t.true(largeQueries.state.running <= 2);
  const small: any = await (await ask(app, '{ agency(id: "AG") { gtfsId } }')).json();
  t.is(small.data.agency.gtfsId, 'AG');
  end.open();
  const statuses = await Promise.all(asked.map(async (answer) => (await answer).status));
  const busy = statuses.filter((status) => status === 503).length;
  t.true(busy > 0 && busy < 30, String(statuses));
  t.is(largeQueries.state.running, 0);
});

test.serial('a long answer without a place is refused as a whole if nothing has been sent', async (t) => {
  const of = (kind: 'stops' | 'trips', length: number) => {
    const indices = feed.graph.list(kind);
    return Uint32Array.from({ length }, (_, i) => indices[i % indices.length] ?? 0);
  };
  const end = gate();
  const app = await serve(
    t,
    {
      list: (kind: 'stops' | 'trips') => of(kind, kind === 'stops' ? 200 : 2000),
      stopsWithinWalk: async () => {
        await end.promise;
        return { stops: new Uint32Array(), distances: new Float64Array() };
      },
    },
    { maxQueueWaitMs: 500, maxThreads: 64 },
  );
  const large = `{ stops { ${aliases(100, (i) => `a${i}: name`)} }
    stopsByRadius(lat: 41, lon: -8.6, radius: 500) { edges { cursor } } }`;
  const holding = [ask(app, large), ask(app, large)];
  await until(() => app.deps.largeQueries.state.running === 2);
  const refused = await ask(app, `{ trips { ${aliases(100, (i) => `a${i}: gtfsId`)} } }`);
  t.deepEqual([refused.status, refused.headers.get('retry-after') === null], [503, false], await refused.text());
  end.open();
  for (const held of holding) t.is((await held).status, 200);
});

test.serial('a refused query does not make an error for each remaining field', async (t) => {
  const indices = feed.graph.list('stops');
  const app = await serve(t, {
    list: () => Uint32Array.from({ length: 200 }, (_, i) => indices[i % indices.length] ?? 0),
  });
  const capture = Error.captureStackTrace;
  let errors = 0;
  Error.captureStackTrace = (...arguments_) => {
    errors += 1;
    capture(...arguments_);
  };
  t.teardown(() => {
    Error.captureStackTrace = capture;
  });
  const refused: any = await (await ask(app, `{ stops { ${aliases(3000, (i) => `a${i}: code`)} } }`)).json();
  t.regex(refused.errors[0].message, /holds more than 200000 values/);
  t.true(errors < 100, `${errors} errors`);
});

test('a search that gets no turn is reported', async (t) => {
  const end = gate();
  const stopsWithinWalk = async () => {
    await end.promise;
    return { stops: new Uint32Array(), distances: new Float64Array() };
  };
  const app = await serve(t, { stopsWithinWalk }, { maxThreads: 1, maxQueuedSearches: 0 });
  const query = '{ stopsByRadius(lat: 41, lon: -8.6, radius: 500) { edges { cursor } } }';
  const first = ask(app, query);
  await until(() => app.deps.admission.state.running === 1);
  const refused: any = await (await ask(app, query)).json();
  end.open();
  t.deepEqual(refused.data, { stopsByRadius: null });
  t.regex(refused.errors[0].message, /server is busy, try again later$/);
  t.is((await first).status, 200);
});
