/**
 * Arguments that the library refuses, and arguments that the server may still pass because the interface allows them.
 */

import test from 'ava';
import * as library from '../../src/native/library.js';
import type { Rule } from '../../src/native/rules.js';
import { OF_FUNCTIONS, OF_GRAPH_CLASS, OF_GRAPHS, OF_SURFACES } from '../../src/native/rules-of-arguments.js';
import type { BuiltGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';

const { Graph, TrestleError } = library;

let town: BuiltGraph;
let graph: library.Graph;
let request: library.PlanRequest;
test.before(async () => {
  town = await buildSampleTown();
  graph = await Graph.open(town.file);
  const { lowerLeftLatitude, lowerLeftLongitude, centerLatitude, centerLongitude } = graph.info();
  request = {
    from: { lat: lowerLeftLatitude, lon: lowerLeftLongitude },
    to: { lat: centerLatitude, lon: centerLongitude },
    epochSeconds: Date.parse('2026-11-23T08:00:00+01:00') / 1000,
  };
});
test.after.always(async () => {
  graph?.dispose();
  await town?.remove();
});

/** Code and message of what a call throws or rejects with. */
async function refusal(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    return error instanceof TrestleError ? `${error.code} ${error.message}` : `no TrestleError: ${error}`;
  }
  return 'nothing';
}

/** Values that break a rule somewhere, each with the end of the name in the message. */
function* broken(rule: Rule): Generator<readonly [value: unknown, name: string]> {
  if (rule === null) return;
  if (rule.kind === 'number') {
    yield [Number.NaN, rule.name ?? ''];
    const { minimum = -Infinity } = rule;
    if (minimum > -Infinity) yield [minimum - 1, rule.name ?? ''];
    if (rule.integer) yield [minimum + 0.5, rule.name ?? ''];
  } else if (rule.kind === 'list') {
    for (const [value] of broken(rule.each)) yield [[value], `[0]`];
  } else if (rule.kind === 'values') {
    for (const [value] of broken(rule.each)) yield [{ BUS: value }, 'BUS'];
  } else if (rule.kind === 'members') {
    if (!rule.mayHaveMore) yield [{ nonsense: 1 }, 'nonsense'];
    for (const [name, own] of Object.entries(rule.members)) {
      for (const [value] of broken(own)) yield [{ [name]: value }, name];
    }
  } else if (rule.kind === 'usable') {
    // Of another type, and an object without the functions that it needs.
    yield ['yes', rule.name ?? ''];
    yield [{}, rule.name ?? ''];
  } else {
    for (const [type, variant] of Object.entries(rule.variants)) {
      for (const [value, name] of broken(variant)) yield [{ type, ...(value as object) }, name];
    }
  }
}

test('every number and every name of every function is checked', async (t) => {
  const surface = await graph.surface(request, { cutoffSeconds: 600 });
  t.teardown(() => surface.dispose());
  const owners: Array<[owner: object, rules: Readonly<Record<string, readonly Rule[]>>]> = [
    [library, OF_FUNCTIONS],
    [Graph, OF_GRAPH_CLASS],
    [graph, OF_GRAPHS],
    [surface, OF_SURFACES],
  ];
  let tried = 0;
  for (const [owner, rules] of owners) {
    for (const [method, ofArguments] of Object.entries(rules)) {
      for (const [i, rule] of ofArguments.entries()) {
        for (const [value, name] of broken(rule)) {
          const call = () => (owner as any)[method](...Array(i).fill(undefined), value);
          const said = await refusal(call);
          t.true(said.startsWith('INVALID_REQUEST ') && said.includes(name), `${method}: ${said}`);
          tried += 1;
        }
      }
    }
  }
  t.true(tried > 400, `${tried}`);
});

test('refusals name the member and say what may be given', async (t) => {
  const plan = (more: object) => () => graph.plan({ ...request, ...more });
  for (const [call, expected] of [
    [plan({ maxWalkDistanse: 500 }), 'maxWalkDistanse: is unknown; did you mean maxWalkDistance?'],
    [plan({ zzz: 1 }), 'zzz: is unknown'],
    [plan({ maxWalkDistance: -1 }), 'maxWalkDistance: is -1, but must be at least 0'],
    [plan({ walkSpeed: Number.NaN }), 'walkSpeed: is NaN, but must be from 0.001 to 1000'],
    [plan({ walkSpeed: Infinity }), 'walkSpeed: is Infinity, but must be from 0.001 to 1000'],
    [plan({ numItineraries: 1.5 }), 'numItineraries: is 1.5, but must be a whole number from 1 to 2147483647'],
    [plan({ boardTimes: { BUS: -1 } }), 'boardTimes.BUS: is -1, but must be from 0 to 1000000'],
    [plan({ optimize: 'X' }), 'optimize: "X" is not one of QUICK, SAFE, FLAT, GREENWAYS, TRIANGLE, TRANSFERS'],
    [plan({ bannedRoutes: [{ id: 'a:b' }] }), 'bannedRoutes[0].id: is unknown'],
    [plan({ bannedRoutes: ['a:b'] }), 'bannedRoutes[0]: an object is expected'],
    [plan({ bannedRoutes: [{}] }), 'bannedRoutes[0]: routeId is missing'],
    [plan({ whitelistedRoutes: [{ feed: 'a', name: '' }] }), 'whitelistedRoutes[0]: routeId is missing'],
    [plan({ boardTimes: [60] }), 'boardTimes: an object is expected'],
    [plan({ from: '48,15' }), 'from: an object is expected'],
    [plan({ from: [48, 15] }), 'from: an object is expected'],
    [() => graph.plan('48,15' as never), 'an object is expected'],
    [() => graph.plan(request, 5000 as never), 'an object is expected'],
    [() => graph.withScenario(['remove-trip' as never]), 'modifications[0]: an object is expected'],
    [plan({ from: { lat: 48 } }), 'from: lon is missing'],
    [plan({ from: { lat: 148, lon: 15 } }), 'from.lat: is 148, but must be from -90 to 90'],
    [() => graph.plan(request, { dealine: 1 } as never), 'dealine: is unknown; did you mean deadline?'],
    [
      () => Graph.open(town.file, undefined, { checkfirst: true } as never),
      'checkfirst: is unknown; did you mean checkFirst?',
    ],
    [() => Graph.open(town.file, { checkFirst: true } as never), 'onProgress: a function is expected'],
    [() => Graph.build('nowhere', {}, 5 as never), 'onProgress: a function is expected'],
    [() => graph.plan(request, { signal: {} as never }), 'signal: an AbortSignal is expected'],
    [
      () => Graph.build('nowhere', { fares: [{ service: 'default', prizes: [] }] } as never),
      'fares[0].prizes: is unknown; did you mean prices?',
    ],
    [
      () =>
        graph.matrix(request, { origins: Float64Array.of(48, NaN), destinations: new Float64Array(), maxSeconds: 60 }),
      'origins[1]: is NaN, but must be from -180 to 180',
    ],
    [
      () => graph.withScenario([{ type: 'remove-trip', trip: {} } as never]),
      'modifications[0].trip: is unknown; did you mean trips?',
    ],
  ] as const) {
    t.is(await refusal(call), `INVALID_REQUEST ${expected}`);
  }
});

test('an infinite limit is no limit, and places may be objects of the program', async (t) => {
  const { plan } = await graph.plan(request);
  const stop = { id: 'a', index: 1, ...request.from };
  const limits = { maxWalkDistance: Infinity, maxTransferWalkDistance: Infinity, maxDuration: Infinity };
  t.deepEqual((await graph.plan({ ...request, from: stop, ...limits })).plan?.itineraries, plan?.itineraries);
  t.true((plan?.itineraries.length ?? 0) > 0);
});

test('costs and waits may be as small and as large as in configurations', async (t) => {
  const wide = { transferPenalty: -1, walkBoardCost: 2_000_000, clampInitialWait: -2_000_000 };
  t.true(((await graph.plan({ ...request, ...wide })).plan?.itineraries.length ?? 0) > 0);
});

test('graphs and surfaces that a graph returns check their arguments', async (t) => {
  const wrong = { ...request, walkSpeed: -1 };
  for (const other of [graph.snapshot(), await graph.withScenario([])]) {
    t.true(other instanceof Graph);
    t.regex(await refusal(() => other.plan(wrong)), /^INVALID_REQUEST walkSpeed/);
    other.dispose();
  }
  const [ofWindow] = await graph.windowSurfaces(request, {
    cutoffSeconds: 600,
    windowSeconds: 600,
    statistics: ['50'],
  });
  const read = await graph.surfaceFromBytes(request, await (ofWindow as library.Surface).toBytes());
  for (const surface of [ofWindow as library.Surface, read]) {
    t.regex(await refusal(() => surface.isochrone(-1, 1)), /^INVALID_REQUEST spacing/);
    surface.dispose();
  }
});

test('the server may pass what the interface allows', async (t) => {
  const { error } = await town.graph.plan({ ...request, walkSpeed: -1 });
  t.is(error?.code, 'PATH_NOT_FOUND');
  const { plan } = await town.graph.plan({ ...request, ofNoUse: 1 } as library.PlanRequest);
  t.true((plan?.itineraries.length ?? 0) > 0);
});

test('members that a search does not use may be absent, and absent ones that it needs are reported', async (t) => {
  const { from, to, epochSeconds } = request;
  const options = { cutoffSeconds: 600 };
  for (const surface of [
    await graph.surface({ from, epochSeconds }, options),
    await graph.surface({ to, epochSeconds, arriveBy: true }, options),
  ]) {
    t.true(surface.memoryBytes() > 0);
    surface.dispose();
  }
  const places = Float64Array.of(from.lat as number, from.lon as number);
  const times = await graph.matrix({ epochSeconds }, { origins: places, destinations: places, maxSeconds: 60 });
  t.is(times.length, 1);
  t.true(await graph.prepareStreets({ modes: ['CAR'] }));
  t.true((await graph.walkshed({ from, epochSeconds }, { seconds: 300, form: 'POINTS' })).coordinates.length > 0);
  for (const [call, missing] of [
    // @ts-expect-error: `to` is missing.
    [() => graph.plan({ from, epochSeconds }), 'to'],
    [() => graph.plan({ from, to: {}, epochSeconds }), 'to'],
    // @ts-expect-error: `epochSeconds` is missing.
    [() => graph.plan({ from, to }), 'epochSeconds'],
    // @ts-expect-error: an arrival needs a destination.
    [() => graph.surface({ from, epochSeconds, arriveBy: true }, options), 'to'],
    // @ts-expect-error: a departure needs an origin.
    [() => graph.surface({ to, epochSeconds }, options), 'from'],
    // @ts-expect-error: a walk needs an origin.
    [() => graph.walkshed({ to, epochSeconds }, { seconds: 300, form: 'POINTS' }), 'from'],
    // @ts-expect-error: `epochSeconds` is missing.
    [() => graph.matrix({}, { origins: places, destinations: places, maxSeconds: 60 }), 'epochSeconds'],
  ] as const) {
    t.is(await refusal(call), `INVALID_REQUEST ${missing} is missing`);
  }
});

test('options that nothing depends on may be absent', async (t) => {
  const surface = await graph.surface(request, { cutoffSeconds: 600 });
  t.teardown(() => surface.dispose());
  const { bytes } = await surface.raster({ crs: 'EPSG:4326', resolution: 0.01 });
  t.true(bytes.length > 0);
  t.true((await surface.tile({ z: 0, x: 0, y: 0, geotiff: true })).length > 0);
  t.is(await refusal(() => surface.tile({ z: 0, x: 0, y: 0 })), 'INVALID_REQUEST style: is required for pictures');
  t.regex(await refusal(() => surface.raster({ crs: 'EPSG:4326' })), /^INVALID_REQUEST width and height/);
  t.true(Array.isArray(await graph.geocode({ text: 'a' })));
  t.true(Buffer.isBuffer(await graph.vectorTile({ layers: ['stops'], z: 0, x: 0, y: 0 })));
  const lines = [[48.0056, 15.0306, 48.006, 15.031]];
  t.is(typeof (await graph.setStreetAlerts([{ header: 'Flooded', lines }])), 'number');
});
