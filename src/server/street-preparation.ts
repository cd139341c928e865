/** Prepares the usual street searches when a router is served, so that the first requests do not have to. */

import type { Logger } from 'pino';
import { parseModes } from '../http/params/modes.js';
import { type RouterDefaults, routerDefaults } from '../http/params/router-defaults.js';
import type { PlanRequest } from '../native/types.js';
import type { RegistryObserver } from '../registry/registry.js';
import type { Router } from '../registry/router.js';

/** The usual trips on streets alone. Each takes about 20 MB for a million vertices of streets. */
const PREPARED_MODES: readonly string[] = ['WALK', 'CAR', 'BICYCLE'];

/**
 * Errors that are not reported: the router was released, or the server is busy, and searches work without the
 * preparation.
 */
const EXPECTED: ReadonlySet<string | undefined> = new Set(['ABORTED', 'BUSY', 'DISPOSED', 'GRAPH_DAMAGED']);

/**
 * Prepares searches for trips on foot, by car and by bike with a router's own defaults, one after the other, while the
 * router answers its first requests.
 */
export class StreetPreparation implements RegistryObserver {
  readonly #stops = new Map<number, AbortController>();

  constructor(private readonly logger: Logger) {}

  served(router: Router): void {
    const stop = new AbortController();
    this.#stops.set(router.generation, stop);
    void this.#prepare(router, stop.signal);
  }

  released({ generation }: Router): void {
    this.#stops.get(generation)?.abort();
    this.#stops.delete(generation);
  }

  async #prepare({ id, graph, config }: Router, signal: AbortSignal): Promise<void> {
    try {
      for (const request of preparedRequests(routerDefaults(config))) {
        await graph.prepareStreets(request, { long: true, signal });
      }
    } catch (err) {
      if (!EXPECTED.has((err as { code?: string }).code)) {
        this.logger.warn({ router: id, err }, 'street searches could not be prepared');
      }
    }
  }
}

/** The requests whose costs and speeds are prepared; their places and times do not matter. */
function preparedRequests(defaults: RouterDefaults): PlanRequest[] {
  return PREPARED_MODES.map((mode) => ({ ...defaults, ...parseModes(mode), from: {}, to: {}, epochSeconds: 0 }));
}
