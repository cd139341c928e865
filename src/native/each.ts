/** Entities of a graph, read some at a time. */

import type { EntityKind, Graph, Positions } from '#addon';
import { nextTurn } from '../turns.js';
import { positionsOf } from './look-ups.js';

/** Entities that are read in one go, which takes about a quarter of a millisecond. */
export const TOGETHER = 64;

/** The entities at the given positions, by default all of a kind; all have the live data of the first one. */
export async function* each(this: Graph, kind: EntityKind, positions?: Positions): AsyncGenerator<unknown> {
  const snapshot = this.snapshot();
  try {
    const all = positions ?? snapshot.list(kind);
    for (let at = 0; at < all.length; at += TOGETHER) {
      if (at > 0) await nextTurn();
      yield* snapshot[`${kind}Sync`](positionsOf(all, at, at + TOGETHER) as Uint32Array) as unknown[];
    }
  } finally {
    snapshot.dispose();
  }
}
