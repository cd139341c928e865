/** Snapshots of graphs for the time of one request. */

import type { Graph } from '../../native/types.js';

/**
 * Runs `work`, which takes snapshots of graphs, so that successive look-ups agree even if live data changes in between.
 * The snapshots are released when `work` is done.
 */
export async function withSnapshots<T>(work: (snapshotOf: (graph: Graph) => Graph) => T | Promise<T>): Promise<T> {
  const taken: Graph[] = [];
  const snapshotOf = (graph: Graph) => {
    const snapshot = graph.snapshot();
    taken.push(snapshot);
    return snapshot;
  };
  try {
    return await work(snapshotOf);
  } finally {
    for (const snapshot of taken) snapshot.dispose();
  }
}
