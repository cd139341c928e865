/**
 * The addon with errors of the library. The server uses it directly: the rules of the interface, which are not those of
 * the library, have already checked its arguments.
 */

import * as addon from '#addon';
import { asTrestleError, TrestleError } from './errors.js';
import { each, inParts, LISTS, LOOK_UPS } from './look-ups.js';
import type { LookUp } from './look-ups-at-once.js';
import { whileListening } from './progress-listener.js';
import { parsed, parsedInParts } from './texts.js';
import type { Graph as ServerGraph } from './types.js';

export * from '#addon';

/** A function of the addon, called with `this`. */
export type AnyFunction = (this: unknown, ...args: never[]) => unknown;

/** Names of the functions of a type that return promises. */
type Asynchronous<T> = { [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? K : never }[keyof T];

/** All functions of the addon that return promises themselves; the compiler reports a missing one. */
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

/** Whether a function with this name returns a promise. Look-ups do, in the form that programs get. */
export function givesPromise(name: string): boolean {
  return [ASYNCHRONOUS, LOOK_UPS, LISTS].some((functions) => Object.hasOwn(functions, name));
}

/** The function with errors of the library. One that returns promises never throws: it rejects. */
export function safe<F extends AnyFunction>(native: F, name: string, promises = Object.hasOwn(ASYNCHRONOUS, name)): F {
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

/** Gives a prototype a method. */
export const define = (prototype: object, name: string | symbol, value: unknown) =>
  Object.defineProperty(prototype, name, { value, writable: true, configurable: true });

/** Replaces the methods of a class, so that all its objects have the safe ones. */
function makeSafe(prototype: object): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (typeof value !== 'function' || name === 'constructor') continue;
    define(prototype, name, safe(value, name));
  }
}

for (const { prototype } of [addon.Graph, addon.Surface, addon.LinkedPoints]) makeSafe(prototype);

/**
 * Replaces a look-up by one that returns a promise. The one that answers at once stays, under the name that the server
 * uses.
 */
function makeAsynchronous(name: LookUp | keyof typeof LISTS, promising: (atOnce: never) => unknown): void {
  const { prototype } = addon.Graph;
  const atOnce = prototype[name] as never;
  define(prototype, `${name}Sync`, atOnce);
  define(prototype, name, safe(promising(atOnce) as AnyFunction, name, true));
}

for (const name of Object.keys(LOOK_UPS) as LookUp[]) makeAsynchronous(name, (atOnce) => inParts(name, atOnce));
for (const name of Object.keys(LISTS) as (keyof typeof LISTS)[]) makeAsynchronous(name, () => LISTS[name]);

const { plan, profile } = addon.Graph.prototype;
define(addon.Graph.prototype, 'plan', safe(parsed(plan) as AnyFunction, 'plan'));
define(addon.Graph.prototype, 'profile', safe(parsedInParts(profile) as AnyFunction, 'profile'));

for (const { prototype } of [addon.Graph, addon.Surface]) define(prototype, Symbol.dispose, prototype.dispose);

define(addon.Graph.prototype, 'each', async function* (this: Graph, ...args: Parameters<typeof each>) {
  try {
    yield* each.apply(this, args);
  } catch (error) {
    throw asTrestleError(error);
  }
});

/** A class with these static functions; those of the addon's own class cannot be replaced. */
export function graphClass(functions: Pick<typeof addon.Graph, 'open' | 'build' | 'prototype'>): typeof addon.Graph {
  return Object.assign(function Graph() {
    throw new TrestleError('INVALID_REQUEST', 'graphs are made by Graph.open and Graph.build');
  }, functions) as unknown as typeof addon.Graph;
}

const open: typeof addon.Graph.open = (path, onProgress, options) =>
  whileListening({ onProgress, signal: options?.signal }, (listening) =>
    addon.Graph.open(path, listening.onProgress, withSignal(options, listening)),
  );

const build: typeof addon.Graph.build = (directory, options, onProgress, work) =>
  whileListening({ onProgress, signal: work?.signal }, (listening) =>
    addon.Graph.build(directory, options, listening.onProgress, withSignal(work, listening)),
  );

/** The options with the signal of a listener; as they are without a listener. */
function withSignal<O extends object>(options: O | null | undefined, { signal }: { signal?: AbortSignal | null }) {
  return signal ? { ...options, signal } : options;
}

/** A built transport graph as the server sees it, with the look-ups that answer at once. */
export type Graph = ServerGraph & addon.Graph;
type GraphClass = { open(...args: Parameters<typeof addon.Graph.open>): Promise<Graph> } & typeof addon.Graph;
export const Graph = graphClass({
  open: safe(open, 'open'),
  build: safe(build, 'build'),
  prototype: addon.Graph.prototype,
}) as GraphClass;
export const configurePool = safe(addon.configurePool, 'configurePool');
export const decodeVehicles = safe(addon.decodeVehicles, 'decodeVehicles');
export const indicator = safe(addon.indicator, 'indicator');
export const inspectorLayers = safe(addon.inspectorLayers, 'inspectorLayers');
export const poolState = safe(addon.poolState, 'poolState');
export const stylePalette = safe(addon.stylePalette, 'stylePalette');
export const vectorTileLayers = safe(addon.vectorTileLayers, 'vectorTileLayers');
