/** Pauses before work that has failed is tried again. */

/**
 * The pause after a number of failures in a row, milliseconds: `firstMs` at first, and twice as long after each further
 * failure, up to `longestMs`. Each is shorter at random by up to a quarter, so that many processes do not all try
 * again at once.
 */
export function pauseAfter(failures: number, firstMs: number, longestMs: number, random = Math.random): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (0.75 + random() / 4);
}
