/** A server prepares the usual trips on streets when it serves a router. */

import test from 'ava';
import { pino } from 'pino';
import { EMPTY_ROUTER_CONFIG, parseRouterConfig } from '../../src/config/router-config.js';
import type { PlanRequest, SearchOptions } from '../../src/native/types.js';
import { StreetPreparation } from '../../src/server/street-preparation.js';
import { FakeGraph } from '../support/fake-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { until } from '../support/until.js';

/** A graph that keeps the requests it prepares for, and prepares as the test says. */
class PreparedGraph extends FakeGraph {
  readonly prepared: PlanRequest[] = [];

  constructor(private readonly prepare: (options: SearchOptions) => Promise<boolean>) {
    super();
  }

  override async prepareStreets(request?: PlanRequest, options: SearchOptions = {}): Promise<boolean> {
    if (request !== undefined) this.prepared.push(request);
    return this.prepare(options);
  }
}

function preparation() {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  return { lines, preparation: new StreetPreparation(logger) };
}

const router = (graph: FakeGraph, config = EMPTY_ROUTER_CONFIG) => ({ id: 'town', generation: 1, graph, config });

test('walks, drives and rides are prepared with the defaults of the router', async (t) => {
  const { preparation: streets } = preparation();
  const graph = new PreparedGraph(async () => true);
  const { config } = parseRouterConfig(
    '{ "routingDefaults": { "walkSpeed": 1.1, "kissAndRide": true } }',
    'router-config.json',
  );
  streets.served(router(graph, config));
  await until(() => graph.prepared.length === 3);
  t.deepEqual(
    graph.prepared.map(({ modes, walkSpeed, kissAndRide }) => ({ modes, walkSpeed, kissAndRide })),
    [['WALK'], ['CAR'], ['BICYCLE']].map((modes) => ({ modes, walkSpeed: 1.1, kissAndRide: false })),
  );
});

test('a router that is released is no longer prepared', async (t) => {
  const { lines, preparation: streets } = preparation();
  let signal: AbortSignal | undefined;
  const graph = new PreparedGraph((options) => {
    signal = options.signal as AbortSignal;
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(Object.assign(new Error('aborted'), { code: 'ABORTED' })));
    });
  });
  streets.served(router(graph));
  await until(() => signal !== undefined);
  streets.released(router(graph));
  await new Promise(setImmediate);
  t.true(signal?.aborted);
  t.is(graph.prepared.length, 1);
  t.deepEqual(lines, []);
});

test('a failure is reported', async (t) => {
  const { lines, preparation: streets } = preparation();
  streets.served(router(new PreparedGraph(async () => Promise.reject(new Error('broken')))));
  await until(() => lines.length > 0);
  t.regex(lines.join(''), /street searches could not be prepared/);
});

test('a graph prepares for trips on streets, and not for rented bikes', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const request = (modes: PlanRequest['modes'], bikeRental = false) => ({
    from: {},
    to: {},
    epochSeconds: 0,
    bikeRental,
    ...(modes && { modes }),
  });
  t.true(await town.graph.prepareStreets(request(['CAR'])));
  t.false(await town.graph.prepareStreets(request(['WALK', 'BICYCLE'], true)));
  await t.throwsAsync(town.graph.prepareStreets(request(['FLY'] as never)), { code: 'INVALID_REQUEST' });
  const late = town.graph.prepareStreets(request(['WALK']), { deadline: 0 });
  await t.throwsAsync(late, { code: 'TIMEOUT' });
});
