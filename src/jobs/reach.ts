/** How much is reached within given times. */

/**
 * The sum of each list of amounts over the places that are reached within each cutoff: all sums of the first cutoff,
 * then those of the next. `seconds` are the times to the places; `cutoffs` are minutes in ascending order.
 */
export function reachedAmounts(
  seconds: Int32Array,
  amounts: readonly Int32Array[],
  cutoffs: readonly number[],
): Float64Array {
  const width = amounts.length;
  const sums = new Float64Array(cutoffs.length * width);
  const limits = cutoffs.map((minutes) => minutes * 60);
  for (let place = 0; place < seconds.length; place += 1) {
    const time = seconds[place] ?? 0;
    const cutoff = limits.findIndex((limit) => time <= limit);
    if (cutoff < 0) continue;
    for (const [column, values] of amounts.entries()) {
      const at = cutoff * width + column;
      sums[at] = (sums[at] ?? 0) + (values[place] ?? 0);
    }
  }
  // A place that is reached within a cutoff is also reached within the later ones.
  for (let at = width; at < sums.length; at += 1) sums[at] = (sums[at] ?? 0) + (sums[at - width] ?? 0);
  return sums;
}
