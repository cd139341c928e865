/**
 * `trestle`: build, open and search transit graphs, without a server.
 *
 * Units: seconds, metres and metres per second. Instants are seconds since 1970, in itineraries too. Coordinates are
 * degrees of WGS 84.
 *
 * Every error of the functions below is a {@link TrestleError}, thrown or as the rejection of a promise.
 */

import type * as addon from '#addon';
import { checkArguments, type Rule } from './rules.js';
import { OF_FUNCTIONS, OF_GRAPH_CLASS, OF_GRAPHS, OF_SURFACES } from './rules-of-arguments.js';
import * as safe from './safe-addon.js';

export * from '#addon';
export { type ErrorCode, TrestleError } from './errors.js';

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
     * The entities at the given positions, by default all of a kind in their order: a long list, read some at a time,
     * so that the program can do other things in between. All have the live data of the first one. Throws
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

/** The function, with a check of its arguments. */
function checked<F extends safe.AnyFunction>(native: F, name: string, rules: readonly Rule[]): F {
  const checking = function (this: unknown, ...args: never[]) {
    checkArguments(rules, args);
    return native.apply(this, args);
  };
  return safe.safe(checking as unknown as F, name, safe.givesPromise(name));
}

/** Methods whose results are graphs or surfaces; the methods of these results check their arguments too. */
const MAKING = ['snapshot', 'withScenario', 'surface', 'windowSurfaces', 'surfaceFromBytes'];

/** A prototype over that of the addon, for the objects of programs: those of the server are not checked. */
function checkingPrototype(prototype: object, rules: Readonly<Record<string, readonly Rule[]>>): object {
  const own = Object.create(prototype);
  const methods = prototype as Record<string, safe.AnyFunction>;
  for (const name of new Set([...Object.keys(rules), ...MAKING])) {
    const method = methods[name];
    if (method === undefined) continue;
    const checking = checked(method, name, rules[name] ?? []);
    safe.define(own, name, MAKING.includes(name) ? making(checking) : checking);
  }
  return own;
}

/** The function, with a result whose methods check their arguments. */
function making<F extends safe.AnyFunction>(make: F): F {
  return function (this: unknown, ...args: never[]) {
    return checkingResult(make.apply(this, args));
  } as unknown as F;
}

function checkingResult(result: unknown): unknown {
  if (result instanceof Promise) return result.then(checkingResult);
  for (const made of Array.isArray(result) ? result : [result]) {
    const own = CHECKING.get(Object.getPrototypeOf(made));
    if (own !== undefined) Object.setPrototypeOf(made, own);
  }
  return result;
}

const GRAPH = checkingPrototype(safe.Graph.prototype, OF_GRAPHS);
const CHECKING = new Map<object, object>([
  [safe.Graph.prototype, GRAPH],
  [safe.Surface.prototype, checkingPrototype(safe.Surface.prototype, OF_SURFACES)],
]);

/** A built transport graph: streets and transit of one area. */
export type Graph = addon.Graph;
export const Graph: typeof addon.Graph = safe.graphClass({
  open: making(checked(safe.Graph.open, 'open', OF_GRAPH_CLASS.open)),
  build: checked(safe.Graph.build, 'build', OF_GRAPH_CLASS.build),
  prototype: GRAPH as addon.Graph,
});
export const configurePool: typeof addon.configurePool = checked(
  safe.configurePool,
  'configurePool',
  OF_FUNCTIONS.configurePool,
);
export const decodeVehicles: typeof addon.decodeVehicles = safe.decodeVehicles;
export const indicator: typeof addon.indicator = safe.indicator;
export const inspectorLayers: typeof addon.inspectorLayers = safe.inspectorLayers;
export const poolState: typeof addon.poolState = safe.poolState;
export const stylePalette: typeof addon.stylePalette = safe.stylePalette;
export const vectorTileLayers: typeof addon.vectorTileLayers = safe.vectorTileLayers;
