/** A registered router as a request sees it, with a count of those who use its graph. */

import type { RouterConfig } from '../config/router-config.js';
import type { Graph } from '../native/types.js';
import type { Generation } from './state.js';

/** A router id with its graph, its configuration and the number of the load that brought them. Immutable. */
export interface Router {
  readonly id: string;
  readonly generation: Generation;
  readonly graph: Graph;
  readonly config: RouterConfig;
  /**
   * Names the content of the graph's file, which is the same for equal files on all hosts. Undefined for a graph
   * without a file.
   */
  readonly content?: string | undefined;
}

/**
 * A router and the number of its holders: the registry is one, and so is every request that uses it. The graph is
 * disposed of when the last holder releases it, so eviction never fails a running search.
 */
export class SharedRouter {
  #holders = 1;

  constructor(
    readonly router: Router,
    private readonly afterDispose: () => void,
  ) {}

  /** Adds a holder; each call is paired with one `release`. */
  retain(): void {
    this.#holders += 1;
  }

  /** Removes a holder; the last one disposes of the graph. */
  release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    this.router.graph.dispose();
    this.afterDispose();
  }
}
