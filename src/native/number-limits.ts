/** Limits of numbers that the engine takes; settings and arguments have the same. */

/** The numbers from `minimum` to `maximum`, which are included; an absent one is no limit. */
export interface NumberRange {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Whether a number is in a range; `NaN` is in none. */
export function isInRange({ minimum = -Infinity, maximum = Infinity }: NumberRange, value: number): boolean {
  return value >= minimum && value <= maximum;
}

/** The largest whole number of the engine: it has 32 bits. */
export const INT_MAX = 2 ** 31 - 1;
/** Seconds that a search adds along a path (`request_ranges.rs`). */
export const MOST_SECONDS = 1_000_000;
/** Costs, and factors of costs (`request_ranges.rs`). */
export const MOST_COST = 1_000_000;
/** Metres per second (`request_ranges.rs`). */
export const [LEAST_SPEED, MOST_SPEED] = [0.001, 1000];
/** Factors from the values of an elevation raster to metres. */
export const [LEAST_MULTIPLIER, MOST_MULTIPLIER] = [1e-6, 1e6];
/** How far the sum of the triangle factors may be from 1 (`request_ranges.rs`). */
export const TRIANGLE_TOLERANCE = 3 * 2 ** -23;
