/** Watches an object store: a server checks regularly for new publications and loads them. */

import { pauseAfter } from '../pauses.js';
import type { RouterControl } from './control.js';
import type { PublishedGraphs } from './published.js';
import type { RouterRegistry } from './registry.js';
import { WATCH_PERIOD_MS } from './watch.js';

/** Longest pause before a publication that could not be taken is tried again, milliseconds. */
const LONGEST_PAUSE_MS = 600_000;

interface Failure {
  readonly publication: string;
  readonly times: number;
  readonly notBefore: number;
}

export interface PublishedWatchOptions {
  /** Routers to serve; all published ones when there are none. */
  readonly routers: readonly string[];
  /** Serve routers that are published later, too. */
  readonly autoScan: boolean;
  /** Called with an error when the store can no longer be reached, and without one when it can be reached again. */
  readonly onStore: (error: unknown) => void;
}

/** Loads what was published since the last check. */
export class PublishedWatch {
  readonly #failures = new Map<string, Failure>();
  /** The routers to serve; undefined until the list of published ones is known. */
  #wanted: readonly string[] | undefined;
  #storeFails = false;

  constructor(
    private readonly published: PublishedGraphs,
    private readonly registry: RouterRegistry,
    private readonly control: Pick<RouterControl, 'put'>,
    private readonly options: PublishedWatchOptions,
    private readonly now: () => number = () => performance.now(),
  ) {
    if (options.routers.length > 0) this.#wanted = options.routers;
  }

  /** Checks all routers once. */
  async look(): Promise<void> {
    try {
      for (const id of await this.#ids()) {
        const publication = await this.published.newPublication(id);
        if (publication !== undefined && this.#isDue(id, publication)) await this.#take(id, publication);
      }
      if (this.#storeFails) this.options.onStore(undefined);
      this.#storeFails = false;
    } catch (error) {
      if (!this.#storeFails) this.options.onStore(error);
      this.#storeFails = true;
    }
  }

  /** The ids that are served, and those that have not reached the graphs directory yet. */
  async #ids(): Promise<Set<string>> {
    const { autoScan } = this.options;
    const all = autoScan || this.#wanted === undefined ? await this.published.ids() : [];
    this.#wanted ??= all;
    const mirrored = new Set(await this.published.mirrored());
    const served = this.registry.list().map(({ id }) => id);
    const missing = [...this.#wanted, ...(autoScan ? all : [])].filter((id) => !mirrored.has(id));
    return new Set([...served, ...missing]);
  }

  #isDue(id: string, publication: string): boolean {
    const failure = this.#failures.get(id);
    return failure === undefined || failure.publication !== publication || this.now() >= failure.notBefore;
  }

  async #take(id: string, publication: string): Promise<void> {
    const outcome = await this.control.put(id);
    if (outcome === 'registered' || outcome === 'reloaded') {
      this.#failures.delete(id);
      return;
    }
    const before = this.#failures.get(id);
    const times = before?.publication === publication ? before.times + 1 : 1;
    const pause = pauseAfter(times, WATCH_PERIOD_MS, LONGEST_PAUSE_MS);
    this.#failures.set(id, { publication, times, notBefore: this.now() + pause });
  }
}
