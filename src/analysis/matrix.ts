/** Rules that all matrices of travel times share. */

import type { PlanRequest } from '../native/types.js';

/** A place that is not reached, in the engine's times. */
export const UNREACHED = 2 ** 31 - 1;

/** Longest time of a matrix, seconds: a day. */
export const LONGEST_MATRIX_SECONDS = 86_400;

/** Most times of one slice, so that progress is visible and memory limited. */
const TIMES_PER_SLICE = 100_000;

/**
 * Longest walk to the first stop, from the last one, and from door to door, when a request does not give one; the same
 * as in trip plans.
 */
const DEFAULT_WALK_METRES = 2000;

/** Fewest origins of one slice, because each slice takes some preparation. */
const LEAST_ROWS = 4;

/** Some of the origins of a matrix. */
export interface OriginSlice {
  /** lat, lon, lat, lon, ... */
  readonly origins: Float64Array;
  /** Origins that are left, including these. */
  readonly originsLeft: number;
}

/**
 * Slices of origins (lat, lon, lat, lon, ...) for a number of destinations, and how many are left with each; each is
 * searched by one thread. Slices get smaller towards the end, so that the threads finish at about the same time.
 */
export function* originSlices(origins: Float64Array, destinations: number, threads = 1): Generator<OriginSlice> {
  const most = Math.max(1, Math.floor(TIMES_PER_SLICE / Math.max(1, destinations)));
  for (let at = 0; at < origins.length; ) {
    const left = (origins.length - at) / 2;
    const share = threads === 1 ? left : Math.max(LEAST_ROWS, Math.ceil(left / (2 * threads)));
    const end = at + 2 * Math.min(most, share);
    yield { origins: origins.subarray(at, end), originsLeft: left };
    at = end;
  }
}

/** The request of every origin. */
export function matrixRequest(request: PlanRequest): PlanRequest {
  return { ...request, maxWalkDistance: request.maxWalkDistance ?? DEFAULT_WALK_METRES };
}
