/** How large the sample cities of the scale suite are. */

/** Vertices of streets per quarter of a sample city. */
const VERTICES_PER_QUARTER = 154.3;

/** Sizes when none are given: 100,000 vertices of streets, one million and five million. */
export const DEFAULT_SIZES = [100_000, 1_000_000, 5_000_000];

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6 };

/** Reads sizes like `100k,1m,6.3m`; undefined if one is not a size. */
export function parseSizes(text: string): number[] | undefined {
  const sizes = text.split(',').map((size) => {
    const [, number, unit] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(size.trim()) ?? [];
    return Math.round(Number(number) * (UNITS[unit?.toLowerCase() ?? ''] ?? Number.NaN));
  });
  return sizes.every((size) => size >= 1000 && size <= 50_000_000) ? sizes : undefined;
}

/** Quarters along each side of a city with about this many vertices. */
export function quartersFor(vertices: number): number {
  return Math.max(4, Math.round(Math.sqrt(vertices / VERTICES_PER_QUARTER)));
}
