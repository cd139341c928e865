/**
 * Changes of the registry in one of several processes of a host. A change is made in this process first and then in all
 * others; only then is it answered.
 */

import type { SharedLedger } from '../sharing/ledger.js';
import type { ProcessValues } from '../sharing/process-values.js';
import type { LocalControl, PutOptions, PutOutcome, ReplaceOutcome, RouterControl } from './control.js';
import type { ServedGraph } from './graph-source.js';
import type { LoadOptions, RouterRegistry } from './registry.js';
import { servedGraphs } from './served-graphs.js';

/** The processes agree on the graphs that are served, not on the commands that led to them. */
export class ProcessControl implements RouterControl {
  readonly #served: SharedLedger<ServedGraph>;

  constructor(
    private readonly local: LocalControl,
    private readonly registry: RouterRegistry,
    private readonly values: ProcessValues,
  ) {
    this.#served = servedGraphs(values, (id, graph) => this.#follow(id, graph));
  }

  put(id: string, options?: PutOptions): Promise<PutOutcome> {
    return this.#change(id, () => this.local.put(id, options));
  }

  async reloadAll(options: LoadOptions): Promise<void> {
    for (const { id } of this.registry.list()) {
      await this.#change(id, () => this.local.reload(id, options));
    }
  }

  replace(id: string, file: string, preEvict: boolean): Promise<ReplaceOutcome> {
    return this.#change(id, () => this.local.replace(id, file, preEvict));
  }

  evict(id: string): Promise<boolean> {
    return this.#change(id, () => this.local.evict(id));
  }

  async evictAll(): Promise<number> {
    const evicted = await Promise.all(this.registry.list().map(({ id }) => this.evict(id)));
    return evicted.filter(Boolean).length;
  }

  saving<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.values.withLock(`save ${id}`, work);
  }

  /** Makes a change of a router while no other process makes one, and sends the others what is served after it. */
  #change<T>(id: string, change: () => Promise<T>): Promise<T> {
    return this.values.withLock(`router ${id}`, async () => {
      const before = this.registry.sourceOf(id);
      try {
        return await change();
      } finally {
        // Also after a failure, which may have removed the router.
        const now = this.registry.sourceOf(id);
        if (now !== before) await this.#served.change(() => new Map([[id, now?.served]]));
      }
    });
  }

  /** Serves what another process serves. */
  async #follow(id: string, graph: ServedGraph | undefined): Promise<void> {
    const isServed = JSON.stringify(this.registry.sourceOf(id)?.served) === JSON.stringify(graph);
    if (isServed) return;
    if (graph === undefined) await this.local.evict(id);
    else await this.local.follow(id, graph);
  }
}
