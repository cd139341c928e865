/** A registered router as a request sees it, and the count of those who still use its graph. */

import type { RouterConfig } from '../config/router-config.js';
import type { Generation } from './state.js';

/** What the registry needs of a built graph; the addon's `Graph` is one. */
export interface GraphHandle {
  /** Gives the mapping back; safe while searches run, no call may follow. */
  dispose(): void;
}

/** A router id with its graph, its configuration and the number of the load that brought them. Immutable. */
export interface Router<G extends GraphHandle = GraphHandle> {
  readonly id: string;
  readonly generation: Generation;
  readonly graph: G;
  readonly config: RouterConfig;
}

/**
 * A router and the number of holders: the registry is one, every request that uses it another.
 * The graph is disposed of when the last holder lets go, so eviction never fails a running search.
 */
export class SharedRouter<G extends GraphHandle> {
  #holders = 1;

  constructor(
    readonly router: Router<G>,
    private readonly afterDispose: () => void,
  ) {}

  /** One more holder; each call is paired with one `release`. */
  retain(): void {
    this.#holders += 1;
  }

  /** One holder fewer; the last one disposes of the graph. */
  release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    this.router.graph.dispose();
    this.afterDispose();
  }
}
