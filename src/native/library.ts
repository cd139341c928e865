/**
 * `trestle`: build, open and search transit graphs, without a server.
 *
 * Units: seconds, metres and metres per second. Instants are seconds since 1970, also in itineraries. Coordinates are
 * degrees of WGS 84.
 *
 * Every error of the functions below is a {@link TrestleError}, thrown or as the rejection of a promise.
 */

import * as addon from '#addon';
import { KERNEL_CODES, type KernelCode } from './codes.js';
import { each } from './each.js';
import { inParts, LISTS, LOOK_UPS, type LookUp } from './look-ups.js';

export * from '#addon';

/**
 * What can go wrong; programs match on it, never on messages.
 *
 * - Of any call: `INVALID_REQUEST` (an argument cannot be used), `DISPOSED`, `GRAPH_DAMAGED` (the file does not hold what
 *   was written), `PANIC` (a defect of the library; `cause` has the error).
 * - Of searches: `BUSY` (more searches wait than `configurePool` allows), `ABORTED` (by `signal`), `TIMEOUT` (the
 *   `deadline` passed), `PLACE_NOT_FOUND`, `TOO_LARGE`.
 * - Of `Graph.open`: `GRAPH_IO` (the file cannot be read), `GRAPH_FOREIGN` (it is no graph), `GRAPH_VERSION` (another
 *   version built it), `GRAPH_TRUNCATED`.
 * - Of `Graph.build`: `INPUT_MISSING`, `INPUT_UNREADABLE`, `CONFIG_INVALID`, `BUILD_OPTION_UNKNOWN`, `OSM_UNREADABLE`,
 *   `ELEVATION_UNREADABLE`, and `GTFS_UNREADABLE`, `GTFS_TOO_LARGE`, `GTFS_MISSING_TABLE`, `GTFS_MISSING_COLUMN`.
 * - Of live data: `REALTIME_INVALID`.
 */
export type ErrorCode = KernelCode;

/**
 * An error of the library.
 *
 * @example
 * try {
 *   await Graph.open('missing.obj');
 * } catch (error) {
 *   if (error instanceof TrestleError && error.code === 'GRAPH_IO') console.log('there is no graph yet');
 * }
 */
export class TrestleError extends Error {
  override readonly name = 'TrestleError';

  constructor(
    /** What went wrong. */
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What the positions of a kind lead to. */
export interface EntityOf {
  feeds: addon.Feed;
  agencies: addon.Agency;
  stops: addon.Stop;
  routes: addon.Route;
  patterns: addon.Pattern;
  trips: addon.Trip;
  clusters: addon.Cluster;
  flexAreas: addon.FlexArea;
}

// The loader's errors differ only in their codes, and it has no methods named by symbols.
declare module '#addon' {
  interface Graph {
    /** `dispose`, for `using graph = await Graph.open(…)`. */
    [Symbol.dispose](): void;
    /**
     * The entities at the given positions, by default all of a kind in their order: a long list, read some at a time, so
     * that the program can do other things in between. All have the live data of the first one. Throws
     * `INVALID_REQUEST` for another kind, and `DISPOSED`.
     *
     * @example
     * let sundays = 0;
     * for await (const { serviceId } of graph.each('trips')) if (serviceId === 'city:SUNDAY') sundays += 1;
     * console.log(sundays);
     */
    each<K extends EntityKind>(kind: K, positions?: Positions): AsyncGenerator<EntityOf[K], void>;
  }
  interface Surface {
    /** `dispose`, for `using surface = await graph.surface(…)`. */
    [Symbol.dispose](): void;
  }
}

const KNOWN: ReadonlySet<string> = new Set(KERNEL_CODES);

/** Codes of the loader's errors about arguments of the wrong type. */
const WRONG_ARGUMENT = /^(InvalidArg|\w+Expected)$/;

/** What the loader calls the types that it expects. */
const EXPECTED: ReadonlyArray<readonly [name: RegExp, inWords: string]> = [
  [/^[iuf]\d+$|^[iu]size$/, 'a number'],
  [/^bool$/, 'true or false'],
  [/^String$/, 'a text'],
  [/^Vec\b/, 'a list'],
];

/** A message of the loader in the words of JavaScript; others as they are. */
function readable(message: string): string {
  const [, given, expected = '', member] =
    /^Failed to convert napi value (\w+) into rust type `([^`]+)`(?: on (\S+))?/.exec(message) ?? [];
  const inWords = EXPECTED.find(([name]) => name.test(expected))?.[1];
  if (inWords !== undefined) return `${member ?? 'an argument'}: ${inWords} is expected, not ${given}`;
  const [typedArray, where] = /^Get TypedArray info failed(?: on (\S+))?/.exec(message) ?? [];
  return typedArray === undefined ? message : `${where ?? 'an argument'}: a typed array is expected`;
}

/** The error as one of the library. An error without a code of the addon is a panic that was caught. */
function asTrestleError(error: unknown): TrestleError {
  if (error instanceof TrestleError) return error;
  const { code = '', message = String(error) } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code === 'string' && KNOWN.has(code)) return new TrestleError(code as ErrorCode, message);
  const isWrongArgument = error instanceof TypeError || (typeof code === 'string' && WRONG_ARGUMENT.test(code));
  if (isWrongArgument) return new TrestleError('INVALID_REQUEST', readable(message));
  return new TrestleError('PANIC', message, { cause: error });
}

type AnyFunction = (this: unknown, ...args: never[]) => unknown;

/** Names of the functions of a type that return promises. */
type Asynchronous<T> = { [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? K : never }[keyof T];

/** All that the addon itself makes promises of; the compiler reports one that is missing. */
const ASYNCHRONOUS: Record<
  | Asynchronous<typeof addon.Graph>
  | Exclude<Asynchronous<addon.Graph>, LookUp | keyof typeof LISTS>
  | Asynchronous<addon.Surface>
  | Asynchronous<typeof addon>,
  true
> = {
  open: true,
  build: true,
  checked: true,
  plan: true,
  prepareStreets: true,
  profile: true,
  isochrone: true,
  timeGrid: true,
  matrix: true,
  walkshed: true,
  circleIsochrone: true,
  surface: true,
  windowSurfaces: true,
  surfaceFromBytes: true,
  geocode: true,
  stopsWithinWalk: true,
  inspectorTile: true,
  vectorTile: true,
  applyTripUpdates: true,
  clearTripUpdates: true,
  setRentalStations: true,
  setAlerts: true,
  applyAlerts: true,
  setStreetAlerts: true,
  withScenario: true,
  linkPoints: true,
  timesTo: true,
  tile: true,
  differenceTile: true,
  timeLeftTile: true,
  raster: true,
  toBytes: true,
  decodeVehicles: true,
};

/** The function with errors of the library. One that returns promises never throws: it rejects. */
function safe<F extends AnyFunction>(native: F, name: string, promises = Object.hasOwn(ASYNCHRONOUS, name)): F {
  const wrapped = promises
    ? async function (this: unknown, ...args: never[]) {
        try {
          return await native.apply(this, args);
        } catch (error) {
          throw asTrestleError(error);
        }
      }
    : function (this: unknown, ...args: never[]) {
        try {
          return native.apply(this, args);
        } catch (error) {
          throw asTrestleError(error);
        }
      };
  return Object.defineProperty(wrapped, 'name', { value: name }) as unknown as F;
}

const define = (prototype: object, name: string | symbol, value: unknown) =>
  Object.defineProperty(prototype, name, { value, writable: true, configurable: true });

/** Replaces the methods of a class, so that all its objects have the safe ones. */
function makeSafe(prototype: object): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (typeof value !== 'function' || name === 'constructor') continue;
    define(prototype, name, safe(value, name));
  }
}

for (const { prototype } of [addon.Graph, addon.Surface, addon.LinkedPoints]) makeSafe(prototype);

/** Replaces a look-up by one that returns a promise. The one that answers at once stays, under the name that the server uses. */
function makeAsynchronous(name: LookUp | keyof typeof LISTS, promising: (atOnce: never) => unknown): void {
  const { prototype } = addon.Graph;
  const atOnce = prototype[name] as never;
  define(prototype, `${name}Sync`, atOnce);
  define(prototype, name, safe(promising(atOnce) as AnyFunction, name, true));
}

for (const name of Object.keys(LOOK_UPS) as LookUp[]) makeAsynchronous(name, (atOnce) => inParts(name, atOnce));
for (const name of Object.keys(LISTS) as (keyof typeof LISTS)[]) makeAsynchronous(name, () => LISTS[name]);

for (const { prototype } of [addon.Graph, addon.Surface]) define(prototype, Symbol.dispose, prototype.dispose);

define(addon.Graph.prototype, 'each', async function* (this: Graph, ...args: Parameters<typeof each>) {
  try {
    yield* each.apply(this, args);
  } catch (error) {
    throw asTrestleError(error);
  }
});

/** The class with safe static functions; those of the addon's own class cannot be replaced. */
function graphClass(): typeof addon.Graph {
  const functions = {
    open: safe(addon.Graph.open, 'open'),
    build: safe(addon.Graph.build, 'build'),
    prototype: addon.Graph.prototype,
  };
  return Object.assign(function Graph() {
    throw new TrestleError('INVALID_REQUEST', 'graphs are made by Graph.open and Graph.build');
  }, functions) as unknown as typeof addon.Graph;
}

/** A built transport graph: streets and transit of one area. */
export type Graph = addon.Graph;
export const Graph: typeof addon.Graph = graphClass();
export const configurePool = safe(addon.configurePool, 'configurePool');
export const decodeVehicles = safe(addon.decodeVehicles, 'decodeVehicles');
export const indicator = safe(addon.indicator, 'indicator');
export const inspectorLayers = safe(addon.inspectorLayers, 'inspectorLayers');
export const poolState = safe(addon.poolState, 'poolState');
export const stylePalette = safe(addon.stylePalette, 'stylePalette');
export const vectorTileLayers = safe(addon.vectorTileLayers, 'vectorTileLayers');
