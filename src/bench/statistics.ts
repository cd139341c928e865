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
  const [p50, p90, p95, p99, max] = [50, 90, 95, 99, 100].map((share) => percentile(sorted, share)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { p50, p90, p95, p99, max, mean };
}

/** The smallest value that at least `share` percent of the sorted values do not exceed (nearest rank). */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return 0;
  const rank = Math.ceil((share / 100) * sorted.length);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1] as number;
}
