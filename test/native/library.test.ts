/** The library around the addon: its errors, what is disposed of, and stopping of builds. */

import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import * as addon from '#addon';
import { writeSample } from '../../scripts/sample-town/index.js';
import { ADDON_CODES } from '../../src/native/codes.js';
import * as library from '../../src/native/library.js';
import type { BuiltGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { turnsDuring } from '../support/turns.js';
import { until } from '../support/until.js';

const { Graph, TrestleError } = library;
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

let town: BuiltGraph;
let graph: library.Graph;
test.before(async () => {
  town = await buildSampleTown();
  graph = await Graph.open(town.file);
});
test.after.always(async () => {
  graph?.dispose();
  await town?.remove();
});

async function inputs(t: ExecutionContext): Promise<string> {
  const directory = await temporaryDirectory(t);
  await writeSample(directory, { size: 'village' });
  return directory;
}

/** What a call throws or rejects with. */
async function failure(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return undefined;
}

test('the library has all that the addon has, and its functions have its errors', (t) => {
  const functions = Object.entries(addon).filter(([, value]) => typeof value === 'function');
  for (const [name, value] of functions) {
    const own = (library as Record<string, unknown>)[name];
    t.is(typeof own, 'function', name);
    // These two classes have no functions of their own.
    if (name !== 'Surface' && name !== 'LinkedPoints') t.not(own, value, name);
  }
  t.true(graph instanceof Graph);
});

test('errors are of one class and have a code, thrown or as rejections', async (t) => {
  const open = await Graph.open(town.file);
  open.dispose();
  for (const [call, code] of [
    [() => Graph.open('/nowhere/Graph.obj'), 'GRAPH_IO'],
    [() => Graph.open(5 as never), 'INVALID_REQUEST'],
    [() => new (Graph as unknown as new () => unknown)(), 'INVALID_REQUEST'],
    [() => open.info(), 'DISPOSED'],
    [() => graph.list('nothing' as never), 'INVALID_REQUEST'],
    [() => graph.plan({} as never), 'INVALID_REQUEST'],
    [() => Graph.prototype.info.call({} as never), 'INVALID_REQUEST'],
  ] as const) {
    const error = await failure(call);
    t.true(error instanceof TrestleError, code);
    t.true(error instanceof Error);
    t.is((error as library.TrestleError).code, code);
    t.is((error as library.TrestleError).name, 'TrestleError');
    t.regex((error as library.TrestleError).stack ?? '', /TrestleError: .+/);
  }
});

test('messages about arguments are in the words of JavaScript', async (t) => {
  const request = { from: { lat: 48, lon: 15 }, to: { lat: 48, lon: 15 }, epochSeconds: 0 };
  const [one, two] = [Float64Array.of(48), Float64Array.of(48, 15)];
  const matrix = (origins: unknown, destinations: unknown) => () =>
    graph.matrix(request, { origins: origins as never, destinations: destinations as never, maxSeconds: 60 });
  for (const [call, message] of [
    [
      () => graph.plan({ ...request, epochSeconds: '8:00' as never }),
      /^SearchRequest.epochSeconds: a number is expected, not String$/,
    ],
    [matrix([48, 15], two), /^MatrixOptions.origins: a typed array is expected$/],
    [matrix(one, two), /^origins: latitudes and longitudes come in pairs, but there are 1$/],
    [matrix(two, one), /^destinations: latitudes/],
    [() => graph.geocode({ text: 5 } as never), /^GeocodeQuery.text: a text is expected, not Number$/],
    [() => graph.geocode({ text: [1, 2] } as never), /^GeocodeQuery.text: a text is expected, not Object$/],
    [
      () => graph.geocode({ text: Array(9999).fill(0) } as never),
      /^GeocodeQuery.text: a text is expected, not Object$/,
    ],
    [() => graph.geocode({} as never), /^text: is missing$/],
    [async () => graph.list({} as never), /^an argument: a text is expected, not Object$/],
    [() => graph.find('stops', 'x' as never), /^an argument: a list is expected$/],
    [() => graph.stops('x' as never), /^an argument: a list of whole numbers is expected$/],
    [async () => graph.list('x'.repeat(5000) as never), /^(?=.{500,1100}$)kind: "x+ … x+".*stops/s],
  ] as const) {
    await t.throwsAsync(call, { instanceOf: TrestleError, code: 'INVALID_REQUEST', message });
  }
  const milliseconds = () => graph.plan({ ...request, epochSeconds: 1_795_604_575_467 });
  await t.throwsAsync(milliseconds, { code: 'INVALID_REQUEST', message: /^epochSeconds: .* seconds since 1970$/ });
});

test('every code is described', async (t) => {
  const text = await readFile(path.join(ROOT, 'src/native/errors.ts'), 'utf8');
  const [comment = ''] = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\nexport type ErrorCode/.exec(text) ?? [];
  t.deepEqual(
    ADDON_CODES.filter((code) => !comment.includes(`\`${code}\``)),
    [],
  );
});

test('a promise is rejected, nothing is thrown', async (t) => {
  const promise = graph.plan({} as never);
  await t.throwsAsync(promise, { instanceOf: TrestleError, code: 'INVALID_REQUEST' });
  await t.throwsAsync(Graph.open(undefined as never), { instanceOf: TrestleError, code: 'INVALID_REQUEST' });
});

test('a panic that the boundary catches has its code', async (t) => {
  // As the boundary gives it for a function that returns at once: none is known to panic.
  const code = `
    import { Graph } from '#addon';
    Graph.prototype.info = () => { throw Object.assign(new Error('index out of bounds'), { code: 'GenericFailure' }); };
    const library = await import('./dist/src/native/library.js');
    try {
      library.Graph.prototype.info();
    } catch (error) {
      console.log(error instanceof library.TrestleError, error.code, error.message, error.cause.code);
    }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT });
  t.is(stdout, 'true PANIC index out of bounds GenericFailure\n');
});

test('graphs and surfaces are disposed of where a block ends', async (t) => {
  const graph = await Graph.open(town.file);
  const { lowerLeftLatitude: lat, lowerLeftLongitude: lon } = graph.info();
  const request = { from: { lat, lon }, to: {}, epochSeconds: 0, modes: ['WALK' as const] };
  const surface = await graph.surface(request, { cutoffSeconds: 600 });
  surface[Symbol.dispose]();
  const tile = surface.tile({ z: 14, x: 8876, y: 5694, style: 'COLOR30' });
  await t.throwsAsync(tile, { instanceOf: TrestleError, code: 'DISPOSED' });
  graph[Symbol.dispose]();
  t.is(((await failure(() => graph.info())) as library.TrestleError).code, 'DISPOSED');
});

test('about a hundred trips can be asked for at once', async (t) => {
  const { lowerLeftLatitude, lowerLeftLongitude, upperRightLatitude, upperRightLongitude } = graph.info();
  const request = {
    from: { lat: lowerLeftLatitude, lon: lowerLeftLongitude },
    to: { lat: upperRightLatitude, lon: upperRightLongitude },
    epochSeconds: Date.parse('2026-11-23T08:00:00+01:00') / 1000,
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 600 }, () => graph.plan(request)));
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  t.deepEqual(refused, []);
});

// Serial, because a busy event loop hears of the first step when the build has already ended.
test.serial('a build that is stopped writes nothing', async (t) => {
  const directory = await inputs(t);
  const before = (await readdir(directory)).sort();
  const stopped = AbortSignal.abort();
  const never = await failure(() => Graph.build(directory, {}, undefined, { signal: stopped }));
  t.is((never as library.TrestleError).code, 'ABORTED');
  const controller = new AbortController();
  const steps: string[] = [];
  const amid = await failure(() =>
    Graph.build(
      directory,
      {},
      ({ step }) => {
        steps.push(step);
        controller.abort();
      },
      { signal: controller.signal },
    ),
  );
  t.is((amid as library.TrestleError).code, 'ABORTED');
  t.true(steps.length > 0);
  t.deepEqual((await readdir(directory)).sort(), before);
  t.is(
    ((await failure(() => Graph.open(town.file, undefined, { signal: stopped }))) as library.TrestleError).code,
    'ABORTED',
  );
});

test('opening reports its progress, and can be stopped', async (t) => {
  const told: Array<[step: string, fraction: number]> = [];
  const tell = ({ step, fraction }: { step: string; fraction: number }) => told.push([step, fraction]);
  const graph = await Graph.open(town.file, tell, { checkFirst: true });
  graph.dispose();
  const [first, last] = [told[0], told.at(-1)];
  t.deepEqual(
    [first, last],
    [
      ['read', 0],
      ['check', 1],
    ],
  );
  for (const step of ['read', 'check']) {
    const fractions = told.filter(([name]) => name === step).map(([, fraction]) => fraction);
    t.deepEqual(
      fractions,
      fractions.toSorted((a, b) => a - b),
      step,
    );
    t.is(fractions.at(-1), 1, step);
  }
});

test.serial('a listener that fails stops a build or an opening, whose promise rejects', async (t) => {
  const directory = await inputs(t);
  const cause = new Error('boom');
  const listeners = [
    () => {
      throw cause;
    },
    () => Promise.reject(cause),
  ];
  for (const listener of listeners) {
    for (const started of [
      () => Graph.build(directory, {}, listener),
      () => Graph.build(directory, {}, listener, { signal: new AbortController().signal }),
      () => Graph.open(town.file, listener, { checkFirst: true }),
    ]) {
      const error = await t.throwsAsync(started(), { instanceOf: TrestleError, code: 'ABORTED' });
      t.is(error.message, 'onProgress has failed: boom');
      t.is(error.cause, cause);
    }
  }
  t.false((await readdir(directory)).includes('Graph.obj'));
  const signal = AbortSignal.abort();
  await t.throwsAsync(
    Graph.build(directory, {}, () => {}, { signal }),
    { message: /aborted/ },
  );
});

test.serial('a listener that fails while the file is saved fails its build, also when it rejects late', async (t) => {
  const directory = await inputs(t);
  const cause = new Error('late');
  for (const fraction of [0, 1]) {
    const building = Graph.build(directory, {}, async (progress) => {
      if (progress.step !== 'save' || progress.fraction !== fraction) return;
      await setTimeout(fraction * 200);
      throw cause;
    });
    const error = await t.throwsAsync(building, { instanceOf: TrestleError, code: 'ABORTED' });
    t.is(error.cause, cause);
  }
  t.true((await readdir(directory)).includes('Graph.obj'));
});

test('opening reports the progress of the check beside it', async (t) => {
  const told: string[] = [];
  const graph = await Graph.open(town.file, ({ step, fraction }) => told.push(`${step} ${fraction}`));
  await graph.checked();
  await until(() => told.includes('check 1'));
  graph.dispose();
  t.is(told[0], 'read 0');
});

test.serial('signals of other realms stop builds with a listener too, and wrong ones are refused', async (t) => {
  const directory = await inputs(t);
  const target = new EventTarget();
  const add = target.addEventListener.bind(target);
  const foreign = { aborted: false, addEventListener: add } as unknown as AbortSignal;
  const listener = () => void target.dispatchEvent(new Event('abort'));
  for (const options of [{ signal: foreign }, { signal: { ...foreign, aborted: true } as AbortSignal }]) {
    await t.throwsAsync(Graph.build(directory, {}, listener, options), { code: 'ABORTED' });
  }
  t.false((await readdir(directory)).includes('Graph.obj'));
  for (const wrong of [{}, { aborted: false }, 5]) {
    const options = { signal: wrong as AbortSignal };
    for (const onProgress of [undefined, listener]) {
      await t.throwsAsync(Graph.build(directory, {}, onProgress, options), { code: 'INVALID_REQUEST' });
      await t.throwsAsync(Graph.open(town.file, onProgress, options), { code: 'INVALID_REQUEST' });
    }
  }
});

test('the names of the types are those that the addon knows', async (t) => {
  const types = await readFile(path.join(ROOT, 'crates/node/types.d.ts'), 'utf8');
  const names = (type: string) => {
    const [, body = ''] = new RegExp(`export type ${type} =([^;]*?)\\n(?:/\\*\\*|export|$)`, 's').exec(types) ?? [];
    return [...body.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
  };
  t.deepEqual(
    names('InspectorLayerKey'),
    library.inspectorLayers().map(({ key }) => key),
  );
  for (const style of names('TileStyle')) t.truthy(library.stylePalette(style as never), style);
  for (const kind of names('EntityKind')) t.notThrows(() => graph.list(kind as never), kind);
  for (const relation of names('EntityRelation')) {
    await t.notThrowsAsync(graph.related(relation as never, new Uint32Array()), relation);
  }
  const request = { from: { lat: 0, lon: 0 }, to: { lat: 0, lon: 0 }, epochSeconds: 0 };
  const modes = [...names('StreetMode'), ...names('TransitMode'), ...names('SwitchMode'), 'TRANSIT'];
  t.is(modes.length, 14);
  await t.notThrowsAsync(graph.plan({ ...request, modes: modes as never }));
  for (const optimize of names('Optimization')) {
    await t.notThrowsAsync(graph.plan({ ...request, optimize: optimize as never }), optimize);
  }
  t.true(ADDON_CODES.length > 20);
});

test('a plan with the fewest transfers has a higher cost for each transfer', async (t) => {
  const { lowerLeftLatitude, lowerLeftLongitude, upperRightLatitude, upperRightLongitude } = graph.info();
  const place = (north: number, east: number) => ({
    lat: lowerLeftLatitude + (upperRightLatitude - lowerLeftLatitude) * north,
    lon: lowerLeftLongitude + (upperRightLongitude - lowerLeftLongitude) * east,
  });
  const trip = {
    from: place(0.15, 0.2),
    to: place(0.85, 0.8),
    epochSeconds: Date.parse('2026-11-23T07:00:00Z') / 1000,
  };
  const itineraries = async (options: Partial<library.PlanRequest>) =>
    (await graph.plan({ ...trip, ...options })).plan?.itineraries;
  const fewest = await itineraries({ optimize: 'TRANSFERS', transferPenalty: 200 });
  t.deepEqual(fewest, await itineraries({ transferPenalty: 2000 }));
  t.notDeepEqual(fewest, await itineraries({ transferPenalty: 200 }));
});

test('each entity of a kind is read, with turns of the event loop in between', async (t) => {
  const graph = await Graph.open(town.file);
  t.teardown(() => graph.dispose());
  const ids: string[] = [];
  const read = async () => {
    for await (const { id } of graph.each('trips')) ids.push(id);
  };
  const turns = await turnsDuring(read());
  const trips = graph.list('trips');
  t.deepEqual(
    ids,
    (await graph.trips(trips)).map(({ id }) => id),
  );
  t.true(trips.length > 200 && turns >= Math.floor(trips.length / 64), `${turns} turns for ${trips.length} trips`);
  const second = await graph.each('stops', graph.list('stops').subarray(1, 2)).next();
  t.is((second.value as library.Stop).index, graph.list('stops')[1] ?? -1);
});

test('reading entities can end early, and fails like a look-up', async (t) => {
  const own = await Graph.open(town.file);
  for await (const { id } of own.each('routes')) {
    t.is(typeof id, 'string');
    break;
  }
  const wrong = own.each('nothing' as 'trips').next();
  await t.throwsAsync(wrong, { instanceOf: TrestleError, code: 'INVALID_REQUEST' });
  own.dispose();
  await t.throwsAsync(own.each('trips').next(), { instanceOf: TrestleError, code: 'DISPOSED' });
});
