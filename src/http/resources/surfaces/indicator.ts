import type { PointSet } from '../../../analysis/point-set.js';
import type { StoredSurface } from '../../../analysis/surface-store.js';
import { loadAddon } from '../../../native/addon.js';
import { indicatorDocument } from '../../../serialization/surface.js';

/** How much of a point set a surface reaches, by minute; `seconds` are the times to its places. */
export async function indicatorOf({ id }: StoredSurface, set: PointSet, seconds: Int32Array, withTimes = false) {
  const { indicator } = await loadAddon();
  const counts = indicator(seconds, new Int32Array(set.size).fill(1));
  const sums = [...set.properties].map(([name, { amounts }]) => [name, indicator(seconds, amounts)] as const);
  return indicatorDocument(`${set.id ?? null}_${id}`, counts, sums, withTimes ? seconds : undefined);
}
