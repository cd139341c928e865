/** Cutting matrices into pieces that one search worker does at a time. */

/** Most times of one piece, so that progress is seen and memory stays bounded. */
const TIMES_PER_SLICE = 250_000;

/** Slices of origins (lat, lon, lat, lon, ...) for a number of destinations. */
export function* originSlices(origins: Float64Array, destinations: number): Generator<Float64Array> {
  const rows = Math.max(1, Math.floor(TIMES_PER_SLICE / Math.max(1, destinations)));
  for (let at = 0; at < origins.length; at += rows * 2) yield origins.subarray(at, at + rows * 2);
}
