/** A registered router as a request sees it, with a count of those who use its graph. */

import type { RouterConfig } from '../config/router-config.js';
import type { Generation } from './state.js';

/** The methods of a graph that the registry needs; the addon's `Graph` has them. */
export interface GraphHandle {
  /** Rejects when the file turns out to be damaged after the graph was opened. */
  checked?(): Promise<void>;
  /** Releases the mapping; safe while searches run, but no further calls may follow. */
  dispose(): void;
}

/** A router id with its graph, its configuration and the number of the load that brought them. Immutable. */
export interface Router<G extends GraphHandle = GraphHandle> {
  readonly id: string;
  readonly generation: Generation;
  readonly graph: G;
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
export class SharedRouter<G extends GraphHandle> {
  #holders = 1;

  constructor(
    readonly router: Router<G>,
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
