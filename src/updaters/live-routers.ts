/** The live data of all routers: starts when a router is served, ends when it no longer is. */

import type { Logger } from 'pino';
import type { AlertStore } from '../alerts/alert-store.js';
import type { AlertPatch } from '../native/types.js';
import type { RegistryObserver } from '../registry/registry.js';
import type { Router } from '../registry/router.js';
import type { SharedFeeds } from '../sharing/shared-feeds.js';
import type { AddressRule } from './feed-address.js';
import { LiveData } from './live-data.js';
import type { UpdaterStatus } from './updater.js';

interface Served {
  readonly id: string;
  readonly live: LiveData;
  readonly sinceMs: number;
}

/** Keyed by the router that a request holds, so that a reload never mixes two of them. */
export class LiveRouters implements RegistryObserver {
  readonly #served = new Map<number, Served>();

  /**
   * `fileOf` gives the graph file of a router; the paths of its updaters are relative to its directory. `rule` says
   * where feeds may lead, `shared` where one process fetches on behalf of all.
   */
  constructor(
    private readonly logger: Logger,
    private readonly alerts: AlertStore,
    private readonly fileOf: (routerId: string) => string | undefined,
    private readonly rule: AddressRule,
    private readonly shared?: SharedFeeds,
  ) {
    alerts.onChange(async (patches) => {
      await Promise.all([...this.#served.values()].map(({ live }) => this.#show(live, patches)));
    });
  }

  served(router: Router): void {
    const logger = this.logger.child({ router: router.id });
    const feeds = { rule: this.rule, shared: this.shared };
    const live = new LiveData(router.graph, router.config, this.fileOf(router.id) ?? '.', feeds, logger);
    this.#served.set(router.generation, { id: router.id, live, sinceMs: Date.now() });
    const patches = this.alerts.list();
    if (patches.length > 0) void this.#show(live, patches);
    live.start();
  }

  /**
   * A router that is being removed needs no alerts. Any other failure is reported, and the other routers still get
   * them.
   */
  async #show(live: LiveData, patches: readonly AlertPatch[]): Promise<void> {
    try {
      await live.putPatches(patches);
    } catch (err) {
      if ((err as { code?: string }).code !== 'DISPOSED') this.logger.error({ err }, 'alerts could not be shown');
    }
  }

  released(router: Router): void {
    this.of(router)?.stop();
    this.#served.delete(router.generation);
  }

  /** The state of every updater. */
  metrics(): Array<{ router: string; number: number; type: string; lastGood: number } & UpdaterStatus> {
    return [...this.#served.values()].flatMap(({ id, live, sinceMs }) =>
      live.updaters.map(({ type, status }, number) => ({
        ...status,
        // Without a success the age of the router counts: a source that never answers is noticed too.
        lastGood: status.lastSuccess ?? sinceMs,
        router: id,
        number,
        type,
      })),
    );
  }

  /** Undefined for a router that is no longer served. */
  of(router: Router): LiveData | undefined {
    return this.#served.get(router.generation)?.live;
  }
}
