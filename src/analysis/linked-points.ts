/** Point sets joined to the streets of graphs; done once for each pair. */

import type { LinkedPoints } from '../native/types.js';
import type { PointSet } from './point-set.js';
import type { StoredSurface } from './surface-store.js';

const linked = new WeakMap<PointSet, Map<string, Promise<LinkedPoints>>>();

/** Graphs whose links are kept per set. */
const KEPT_GRAPHS = 8;

/** The links of a set to the graph of a surface. */
export function linkedPoints(set: PointSet, { graphKey, times }: StoredSurface): Promise<LinkedPoints> {
  let byGraph = linked.get(set);
  if (byGraph === undefined) {
    byGraph = new Map();
    linked.set(set, byGraph);
  }
  let points = byGraph.get(graphKey);
  if (points === undefined) {
    points = times.linkPoints(set.positions);
    byGraph.set(graphKey, points);
    points.catch(() => byGraph.delete(graphKey));
    for (const key of byGraph.keys()) {
      if (byGraph.size <= KEPT_GRAPHS) break;
      byGraph.delete(key);
    }
  }
  return points;
}
