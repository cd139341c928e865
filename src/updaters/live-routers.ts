/** The live data of all routers: begins when a router is served, ends when it no longer is. */

import type { Logger } from 'pino';
import type { AlertStore } from '../alerts/alert-store.js';
import type { Graph } from '../native/types.js';
import type { RegistryObserver } from '../registry/registry.js';
import type { Router } from '../registry/router.js';
import type { AddressRule } from './feed-address.js';
import { LiveData } from './live-data.js';
import type { UpdaterStatus } from './updater.js';

/** Looked up by the router that a request holds, so that a reload never mixes two of them. */
export class LiveRouters implements RegistryObserver<Graph> {
  readonly #live = new Map<number, LiveData>();
  readonly #ids = new Map<number, string>();

  /**
   * `fileOf` names the graph file of a router; the paths of its updaters are relative to its directory. `rule` says
   * where feeds may lead.
   */
  constructor(
    private readonly logger: Logger,
    private readonly alerts: AlertStore,
    private readonly fileOf: (routerId: string) => string | undefined,
    private readonly rule: AddressRule,
  ) {
    alerts.onChange((patches) => {
      for (const live of this.#live.values()) live.putPatches(patches);
    });
  }

  published(router: Router<Graph>): void {
    const logger = this.logger.child({ router: router.id });
    const live = new LiveData(router.graph, router.config, this.fileOf(router.id) ?? '.', this.rule, logger);
    this.#live.set(router.generation, live);
    this.#ids.set(router.generation, router.id);
    const patches = this.alerts.list();
    if (patches.length > 0) live.putPatches(patches);
    live.start();
  }

  released(router: Router<Graph>): void {
    this.#live.get(router.generation)?.stop();
    this.#live.delete(router.generation);
    this.#ids.delete(router.generation);
  }

  /** The state of every updater. */
  figures(): Array<{ router: string; number: number; type: string } & UpdaterStatus> {
    return [...this.#live].flatMap(([generation, { updaters }]) =>
      updaters.map(({ type, status }, number) => ({
        ...status,
        router: this.#ids.get(generation) ?? '',
        number,
        type,
      })),
    );
  }

  /** Undefined for a router that is no longer served. */
  of(router: Router<Graph>): LiveData | undefined {
    return this.#live.get(router.generation);
  }
}
