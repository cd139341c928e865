/**
 * Which router ids are registered, and with which graphs. The life cycle is the table in `state.ts`; this class carries
 * out its effects and counts the users of each graph.
 */

import { isLegalRouterId, meansDefault } from '../config/router-id.js';
import { BusyError, RouterNotFoundError } from '../http-error.js';
import { Queue } from '../queues.js';
import { quoted } from '../quoted.js';
import { within } from '../within.js';
import { type GraphSource, type OpenedGraph, type OpenOptions, withShownFile } from './graph-source.js';
import { type Router, SharedRouter } from './router.js';
import { ABSENT, type Generation, type RouterEffect, type RouterEvent, type RouterState, transition } from './state.js';

interface RegistryOptions {
  /** Default router, for requests without an id. */
  readonly defaultRouterId: string;
  /** When the default router is not registered, the root graph, or else any router, takes its place. */
  readonly anyRouterAsDefault: boolean;
  /** How long a request waits for a router that is being loaded, in milliseconds. */
  readonly loadWaitMs: number;
  /**
   * How long a new graph waits for its file to be checked before it is served, in milliseconds; after that, the check
   * continues while the graph is served.
   */
  readonly checkWaitMs?: number;
  /** Notified, in this order, of routers that are served from now on and those that no longer are. */
  readonly observers?: readonly RegistryObserver[];
}

/** Starts and stops what belongs to a router: updaters, request logs, messages. */
export interface RegistryObserver {
  served?(router: Router, opened: OpenedGraph): void;
  released?(router: Router): void;
  failed?(routerId: string, error: unknown): void;
}

/** The outcome of a load, for the request that started it. */
type LoadOutcome =
  | { readonly kind: 'registered'; readonly router: Router }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The router was evicted, or loaded again, before this load was done. */
  | { readonly kind: 'superseded' };

export interface LoadOptions {
  /** Drop the served graph before loading; requests wait until the new one is open. */
  readonly preEvict: boolean;
  /** Remove the router when the load fails, instead of continuing with the previous graph. */
  readonly evictOnFailure: boolean;
}

/** Time to check a file of a gigabyte that is in memory. */
const CHECK_WAIT_MS = 250;

/** A router whose graph the registry itself holds. */
class HeldRouter extends SharedRouter {
  /** Whether requests have been able to use it. */
  served = false;

  constructor(
    router: Router,
    readonly source: GraphSource,
    readonly opened: OpenedGraph,
  ) {
    super(router, () => void source.discard());
  }
}

interface Entry {
  readonly id: string;
  state: RouterState;
  readonly held: Map<Generation, HeldRouter>;
  /** Loads of one id run one after the other. */
  readonly queue: Queue;
  /** Loads that are queued or run. */
  demands: number;
  waiters: (() => void)[];
}

export class RouterRegistry {
  readonly #entries = new Map<string, Entry>();
  #lastGeneration = 0;
  /** While the routers of the start are being loaded, any id may still be registered. */
  #starting: Promise<true> | undefined;

  constructor(private readonly options: RegistryOptions) {}

  /** Routers that are served now, in the order of their registration. */
  list(): Router[] {
    return [...this.#entries.values()].flatMap((entry) => this.#serving(entry)?.router ?? []);
  }

  /** Ids of all routers, also of those that are being loaded. */
  ids(): string[] {
    return [...this.#entries.keys()];
  }

  /** Whether requests for exactly this id (not an alias) are answered, or soon will be. */
  isRegistered(id: string): boolean {
    return (this.#entries.get(id)?.state.kind ?? 'absent') !== 'absent';
  }

  /** Whether some router is still being loaded for the first time. */
  isLoading(): boolean {
    return [...this.#entries.values()].some((entry) => entry.state.kind === 'loading');
  }

  /** The source that a served router was loaded from. */
  sourceOf(id: string): GraphSource | undefined {
    const entry = this.#entries.get(id);
    return entry === undefined ? undefined : this.#serving(entry)?.source;
  }

  /**
   * Runs `work` with the router of a request. The router's graph stays open until `work` ends, even if it is evicted or
   * replaced before that. Throws `RouterNotFoundError`, or `BusyError` when loading takes too long.
   */
  async use<T>(requested: string | undefined, work: (router: Router) => T | Promise<T>): Promise<T> {
    const shared = await this.#hold(requested);
    try {
      return await work(shared.router);
    } finally {
      shared.release();
    }
  }

  /** Loads or replaces a router. Resolves with the outcome; never rejects because of the source. */
  load(id: string, source: GraphSource, options: LoadOptions): Promise<LoadOutcome> {
    if (!isLegalRouterId(id)) {
      return Promise.resolve({ kind: 'failed', error: new Error(`illegal router id ${quoted(id)}`) });
    }
    const entry = this.#entry(id);
    entry.demands += 1;
    return entry.queue
      .take(() => this.#loadNow(entry, source, options))
      .finally(() => {
        entry.demands -= 1;
        this.#forgetIfUnused(entry);
      });
  }

  /** De-registers a router; false when it was not registered. Running searches finish on its graph. */
  evict(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.state.kind === 'absent') return false;
    // Loads that are still queued belong to the registration that ends here; later loads begin a new one.
    this.#entries.delete(id);
    this.#dispatch(entry, { kind: 'evict' });
    return true;
  }

  /** De-registers all routers and returns how many there were. */
  evictAll(): number {
    return this.ids().filter((id) => this.evict(id)).length;
  }

  /** The id of a request without one, or with `default`. A router with exactly that name takes precedence. */
  resolveId(requested: string | undefined): string {
    if (!meansDefault(requested)) return requested as string;
    const { defaultRouterId, anyRouterAsDefault } = this.options;
    if (requested && this.isRegistered(requested)) return requested;
    if (this.isRegistered(defaultRouterId)) return defaultRouterId;
    if (!anyRouterAsDefault || this.isRegistered('')) return anyRouterAsDefault ? '' : defaultRouterId;
    return this.list()[0]?.id ?? defaultRouterId;
  }

  async #hold(requested: string | undefined): Promise<SharedRouter> {
    const deadline = performance.now() + this.options.loadWaitMs;
    for (;;) {
      const entry = this.#entries.get(this.resolveId(requested));
      const held = entry === undefined ? undefined : this.#serving(entry);
      if (held !== undefined) {
        held.retain();
        return held;
      }
      const waiting = entry?.state.kind === 'loading' ? changed(entry, deadline) : this.#endOfStart(deadline);
      if (waiting === undefined) throw new RouterNotFoundError(requested ?? '');
      if (!(await waiting)) throw new BusyError(`Graph id '${requested ?? ''}' is being loaded.\n`, 5);
    }
  }

  /** Loads the routers of the start; requests for routers that are not there yet wait until it is done. */
  async start(loading: () => Promise<void>): Promise<void> {
    const loaded = loading();
    const end = () => true as const;
    this.#starting = loaded.then(end, end);
    try {
      await loaded;
    } finally {
      this.#starting = undefined;
    }
  }

  /** Undefined when no routers are being loaded. Otherwise true when that is done, and undefined at the deadline. */
  #endOfStart(deadline: number): Promise<true | undefined> | undefined {
    return this.#starting && within(this.#starting, deadline - performance.now());
  }

  #entry(id: string): Entry {
    const known = this.#entries.get(id);
    if (known !== undefined) return known;
    const fresh: Entry = { id, state: ABSENT, held: new Map(), queue: new Queue(), demands: 0, waiters: [] };
    this.#entries.set(id, fresh);
    return fresh;
  }

  #serving(entry: Entry): HeldRouter | undefined {
    const { state } = entry;
    return state.kind === 'ready' || state.kind === 'reloading' ? entry.held.get(state.generation) : undefined;
  }

  async #loadNow(entry: Entry, source: GraphSource, options: LoadOptions): Promise<LoadOutcome> {
    if (this.#entries.get(entry.id) !== entry) {
      await source.discard();
      return { kind: 'superseded' };
    }
    this.#lastGeneration += 1;
    const generation = this.#lastGeneration;
    this.#dispatch(entry, { kind: 'load', generation, preEvict: options.preEvict });
    // While another graph serves the router, this one is checked first. Without another graph, nothing else could
    // answer until then.
    const checkFirst = this.#serving(entry) !== undefined;
    const { checkWaitMs = CHECK_WAIT_MS } = this.options;
    const result = await open(source, { checkFirst }, checkWaitMs);
    if ('error' in result) {
      this.#notify((observer) => observer.failed?.(entry.id, result.error));
      await source.discard();
      this.#dispatch(entry, { kind: 'failed', generation, evict: options.evictOnFailure });
      return { kind: 'failed', error: result.error };
    }
    const { opened, checked } = result;
    const { graph, config, content } = opened;
    const router: Router = { id: entry.id, generation, graph, config, content };
    entry.held.set(generation, new HeldRouter(router, source, opened));
    this.#dispatch(entry, { kind: 'loaded', generation });
    checked.catch((error) => this.#damaged(entry, generation, error));
    return entry.held.has(generation) ? { kind: 'registered', router } : { kind: 'superseded' };
  }

  /** Damage was found in the graph of a router that was served before all of its file had been checked. */
  #damaged(entry: Entry, generation: Generation, error: Error): void {
    // The graph may have been released before its check ended.
    const held = entry.held.get(generation);
    if (held === undefined) return;
    this.#notify((observer) => observer.failed?.(entry.id, ofSource(error, held.source)));
    this.#dispatch(entry, { kind: 'damaged', generation });
    this.#forgetIfUnused(entry);
  }

  #dispatch(entry: Entry, event: RouterEvent): void {
    const { state, effects } = transition(entry.state, event);
    entry.state = state;
    for (const effect of effects) this.#carryOut(entry, effect);
  }

  #carryOut(entry: Entry, effect: RouterEffect): void {
    switch (effect.kind) {
      case 'serve': {
        const held = entry.held.get(effect.generation);
        if (held === undefined) return;
        held.served = true;
        this.#notify((observer) => observer.served?.(held.router, held.opened));
        return;
      }
      case 'release': {
        const held = entry.held.get(effect.generation);
        if (held === undefined) return;
        entry.held.delete(effect.generation);
        if (held.served) this.#notify((observer) => observer.released?.(held.router));
        held.release();
        return;
      }
      case 'wake': {
        const waiters = entry.waiters;
        entry.waiters = [];
        for (const wake of waiters) wake();
        return;
      }
    }
  }

  #notify(report: (observer: RegistryObserver) => void): void {
    for (const observer of this.options.observers ?? []) report(observer);
  }

  #forgetIfUnused(entry: Entry): void {
    const unused = entry.demands === 0 && entry.state.kind === 'absent';
    if (unused && this.#entries.get(entry.id) === entry) this.#entries.delete(entry.id);
  }
}

/** Resolves with true when the entry's state has changed, with false at the deadline. */
function changed(entry: Entry, deadline: number): Promise<boolean> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(
      () => {
        entry.waiters = entry.waiters.filter((waiter) => waiter !== wake);
        resolve(false);
      },
      Math.max(0, deadline - performance.now()),
    );
    entry.waiters.push(wake);
  });
}

/** A graph, and the check of its file, which may not have ended. */
interface Opening {
  readonly opened: OpenedGraph;
  readonly checked: Promise<void>;
}

async function open(
  source: GraphSource,
  options: OpenOptions,
  checkWaitMs: number,
): Promise<Opening | { error: unknown }> {
  try {
    const opened = await source.open(options);
    const checked = opened.graph.checked();
    try {
      await within(checked, checkWaitMs);
    } catch (error) {
      opened.graph.dispose();
      throw ofSource(error as Error, source);
    }
    return { opened, checked };
  } catch (error) {
    return { error };
  }
}

function ofSource(error: Error, { served }: GraphSource): Error {
  return served === undefined ? error : withShownFile(error, served);
}
