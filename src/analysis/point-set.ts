/** Point sets: places with magnitudes, from a file of any format. */

import { INT_MAX } from '../native/number-limits.js';
import { quoted } from '../quoted.js';

/** A magnitude of every feature. */
export interface PointProperty {
  readonly label?: string;
  readonly style: Readonly<Record<string, string>>;
  /** One whole number per feature. */
  readonly amounts: Int32Array;
}

/** The shape of a feature: a point, or the outline of a polygon. */
export interface PointGeometry {
  readonly type: 'Point' | 'Polygon';
  readonly coordinates: unknown;
}

/** Places with magnitudes: plain data, so that a thread can read them. */
export interface PointSet {
  readonly id?: string;
  readonly label?: string;
  readonly description?: string;
  readonly size: number;
  /** lat, lon, lat, lon, ... */
  readonly positions: Float64Array;
  /** An id per feature; absent when none has one. */
  readonly ids?: ReadonlyArray<string | null>;
  /** A shape per feature; absent when all are points, and in sets with more features than are shown. */
  readonly geometries?: readonly PointGeometry[];
  readonly properties: ReadonlyMap<string, PointProperty>;
}

/** A file that is not a point set; the message names the rows and what is wrong with them. */
export class PointSetError extends Error {}

/** A set that is larger than this server accepts. */
export class PointSetTooLargeError extends PointSetError {}

/** Most features of a set. */
const MAX_POINTS = 1_000_000;

/** Sets with more features than this are described by their size only. */
export const SHOWN_FEATURES = 200;

/** Most features that are shown of a set when a client asks for more. */
export const MOST_SHOWN_FEATURES = 20_000;

/** Most bytes of the file of a set. */
export const MAX_POINT_SET_BYTES = 128 * 1024 ** 2;

/** Refuses sets with too many features. */
export function requireSize(features: number): void {
  if (features > MAX_POINTS) throw new PointSetTooLargeError(`more than ${MAX_POINTS} features`);
}

/** Most magnitudes of a feature. */
const MAX_PROPERTIES = 1000;

/** Refuses sets with too many magnitudes. */
export function requireProperties(count: number): void {
  if (count > MAX_PROPERTIES) throw new PointSetTooLargeError(`more than ${MAX_PROPERTIES} magnitudes`);
}

/** Problems listed in a message; more are only counted. */
const LISTED_PROBLEMS = 10;

/** Collects what is wrong with the rows of a file. */
export class RowProblems {
  #count = 0;
  readonly #listed: string[] = [];

  /** Notes that something is wrong, for example `row 7, jobs: "x" is not a whole number`. */
  add(problem: string): void {
    this.#count += 1;
    if (this.#listed.length < LISTED_PROBLEMS) this.#listed.push(problem);
  }

  /** Throws a `PointSetError` if anything was wrong. */
  throwIfAny(): void {
    if (this.#count === 0) return;
    const more = this.#count - this.#listed.length;
    throw new PointSetError(this.#listed.join('\n') + (more > 0 ? `\nand ${more} more` : ''));
  }
}

/** Whether a value is a whole number that fits into an `Int32Array`. */
export function isAmount(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= INT_MAX;
}

/** Why a value is no magnitude: a number without a fraction is too large. */
export function notAnAmount(value: unknown, number = value): string {
  const range = Number.isInteger(number) ? ` from -${INT_MAX} to ${INT_MAX}` : '';
  return `${quoted(value)} is not a whole number${range}`;
}
