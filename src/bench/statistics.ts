/** Milliseconds from sending a request to the end of its answer. */
export interface Latencies {
  p50: number;
  p90: number;
  p95: number;
  p99: number;
  max: number;
  mean: number;
}

/** Summary of single times; all zero for none. */
export function latencies(times: ArrayLike<number>): Latencies {
  const sorted = Float64Array.from(times).sort();
  const mean = sorted.length === 0 ? 0 : sorted.reduce((sum, time) => sum + time, 0) / sorted.length;
  const at = (share: number) => percentile(sorted, share);
  return { p50: at(50), p90: at(90), p95: at(95), p99: at(99), max: at(100), mean };
}

/** The smallest value that at least `share` percent of the sorted values do not exceed (nearest rank). */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return 0;
  const rank = Math.ceil((share / 100) * sorted.length);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1] as number;
}
