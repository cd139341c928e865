/** Point sets joined to the streets of graphs; done once for each pair. */

import type { LinkedPoints } from '../native/types.js';
import type { PointSet } from './point-set.js';
import type { StoredSurface } from './surface-store.js';

/** Number of graphs whose links are kept for each set. */
const KEPT_GRAPHS = 8;

/** The links of each set; they are freed with the set. */
export class PointLinks {
  readonly #bySet = new WeakMap<PointSet, Map<string, Promise<LinkedPoints>>>();

  of(set: PointSet, { graphKey, times }: StoredSurface): Promise<LinkedPoints> {
    const byGraph = this.#bySet.get(set) ?? new Map<string, Promise<LinkedPoints>>();
    this.#bySet.set(set, byGraph);
    const known = byGraph.get(graphKey);
    if (known !== undefined) return known;
    const points = times.linkPoints(set.positions);
    byGraph.set(graphKey, points);
    points.catch(() => byGraph.delete(graphKey));
    for (const key of byGraph.keys()) {
      if (byGraph.size <= KEPT_GRAPHS) break;
      byGraph.delete(key);
    }
    return points;
  }
}
