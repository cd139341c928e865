/** Routers under a scenario: the changed graphs, made at first use and kept while they are used. */

import type { Graph, ModificationReport } from '../native/types.js';
import { Queue } from '../queues.js';
import { GRAPH_FILE, scenarioDirectory } from '../registry/graph-file.js';
import type { RegistryObserver } from '../registry/registry.js';
import { type Router, SharedRouter } from '../registry/router.js';
import type { FilesHere, SharedFiles } from '../sharing/shared-files.js';
import { readScenario, type Scenario } from './scenario.js';
import { digestOf, isLegalScenarioId, ScenarioStore, type StoredScenario } from './scenario-store.js';

/** Changed graphs that are kept for each router; each holds a copy of what it changes. */
const KEPT = 4;

/** A scenario whose graph is being made, or is ready. */
interface Applied {
  readonly digest: string;
  readonly router: Promise<SharedRouter>;
}

/** The outcome of storing a scenario. */
interface PutScenario {
  readonly scenario: Scenario;
  readonly reports: readonly ModificationReport[];
  readonly stored?: 'new' | 'replaced';
}

/** The scenarios of one load of a router. */
interface OfRouter {
  readonly store: ScenarioStore;
  /** The most recently used last. */
  readonly applied: Map<string, Applied>;
}

/** Keyed by the graph that a request holds, so that a reload never mixes two of them. */
export class ScenarioRouters implements RegistryObserver {
  /** Weakly, because requests may come here with a router that the registry has already released. */
  readonly #routers = new WeakMap<Graph, OfRouter>();
  /** Graphs are changed one after the other, because each change takes a processor and memory. */
  readonly #applying = new Queue();

  #shared: SharedFiles | undefined;

  /** `fileOf` names the graph file of a router. */
  constructor(private readonly fileOf: (routerId: string) => string | undefined) {}

  /** Shares the scenarios that clients store and remove with all hosts, by router. */
  shareAs(share: (here: Omit<FilesHere, 'withLock'>) => SharedFiles): void {
    this.#shared = share({
      fileOf: async (name) => {
        const { store, id } = this.#placeOf(name) ?? {};
        return id === undefined ? undefined : store?.fileOf(id);
      },
      replace: async (name, _, write) => {
        const place = this.#placeOf(name);
        await place?.store.replace(place.id, write);
        return place !== undefined;
      },
      remove: async (name) => {
        const place = this.#placeOf(name);
        return place?.store.remove(place.id);
      },
    });
  }

  /** A router that was not served here before may have scenarios on other hosts. */
  served({ id }: Router): void {
    // A failure is logged. This host then gets the scenarios when it next connects to the others.
    this.#shared?.reconcile((name) => name.startsWith(nameOf(id, ''))).catch(() => {});
  }

  released(router: Router): void {
    const known = this.#routers.get(router.graph);
    this.#routers.delete(router.graph);
    for (const applied of known?.applied.values() ?? []) letGo(applied);
    // The list may still be in use elsewhere, and nothing in it may be released twice.
    known?.applied.clear();
  }

  /** The scenarios of a router, once this host has taken the changes that it was notified of. */
  async storeOf(router: Router): Promise<ScenarioStore> {
    await this.#shared?.settled();
    return this.#of(router).store;
  }

  /** Returns whether there was one. */
  async remove(router: Router, id: string): Promise<boolean> {
    return this.#shared === undefined ? this.#of(router).store.remove(id) : this.#shared.remove(nameOf(router.id, id));
  }

  /**
   * Runs `work` with the router under a scenario: its graph is the changed one. Undefined when there is no such
   * scenario. The caller has to hold the router until this ends.
   */
  async use<T>(
    router: Router,
    scenarioId: string,
    work: (router: Router) => T | Promise<T>,
  ): Promise<{ value: T } | undefined> {
    const stored = await (await this.storeOf(router)).get(scenarioId);
    if (stored === undefined) return undefined;
    const shared = await this.#apply(router, stored);
    try {
      return { value: await work(shared.router) };
    } finally {
      shared.release();
    }
  }

  /**
   * Applies a scenario and, unless a modification cannot be applied, stores its text. Returns the outcome of each
   * modification. `stored` is absent when one failed; otherwise it says whether the scenario is new or replaced another
   * one.
   */
  async put(router: Router, id: string, text: string): Promise<PutScenario> {
    const scenario = readScenario(text);
    const { store, applied } = this.#of(router);
    const shared = await this.#applying.take(() => changed(router, scenario));
    try {
      const reports = shared.router.graph.modificationReports();
      if (reports.some(({ error }) => error)) return { scenario, reports };
      const prepared = await this.#shared?.prepareText(text);
      const stored = (await store.put(id, text)) ? 'new' : 'replaced';
      if (prepared !== undefined) await this.#shared?.announce(nameOf(router.id, id), prepared, 'json');
      const isReleased = this.#routers.get(router.graph)?.applied !== applied;
      if (!isReleased) {
        shared.retain();
        keep(applied, id, { digest: digestOf(text), router: Promise.resolve(shared) });
      }
      return { scenario, reports, stored };
    } finally {
      shared.release();
    }
  }

  /** Where a scenario belongs here; undefined when its router is not served. */
  #placeOf(name: string): { store: ScenarioStore; id: string } | undefined {
    const end = name.lastIndexOf('/');
    const [file, id] = [this.fileOf(name.slice(0, end)), name.slice(end + 1)];
    if (file === undefined || !isLegalScenarioId(id)) return undefined;
    return { store: new ScenarioStore(scenarioDirectory(file)), id };
  }

  #of(router: Router): OfRouter {
    const known = this.#routers.get(router.graph);
    if (known !== undefined) return known;
    const store = new ScenarioStore(scenarioDirectory(this.fileOf(router.id) ?? GRAPH_FILE));
    const fresh: OfRouter = { store, applied: new Map() };
    this.#routers.set(router.graph, fresh);
    return fresh;
  }

  /** The router under a scenario, retained for the caller. */
  #apply(router: Router, { id, digest, scenario }: StoredScenario): Promise<SharedRouter> {
    const { applied } = this.#of(router);
    let entry = applied.get(id);
    if (entry?.digest !== digest) {
      const made: Applied = { digest, router: this.#applying.take(() => changed(router, scenario)) };
      made.router.catch(() => {
        if (applied.get(id) === made) applied.delete(id);
      });
      entry = made;
    }
    keep(applied, id, entry);
    // Retained before anything else can release it.
    return entry.router.then((shared) => {
      shared.retain();
      return shared;
    });
  }
}

/** The name of a scenario among those of all routers. */
function nameOf(routerId: string, scenarioId: string): string {
  return `${routerId}/${scenarioId}`;
}

/** Puts an entry last, replacing one with its id; the first ones are dropped when there are too many. */
function keep(applied: Map<string, Applied>, id: string, entry: Applied): void {
  const previous = applied.get(id);
  if (previous !== undefined && previous !== entry) letGo(previous);
  applied.delete(id);
  applied.set(id, entry);
  for (const [oldest, other] of applied) {
    if (applied.size <= KEPT) break;
    applied.delete(oldest);
    letGo(other);
  }
}

async function changed(router: Router, scenario: Scenario): Promise<SharedRouter> {
  const graph = await router.graph.withScenario(scenario.modifications.map(({ native }) => native));
  return new SharedRouter({ ...router, graph }, () => {});
}

/** Releases the graph for the store; requests that use it are not affected. */
function letGo({ router }: Applied): void {
  router.then(
    (shared) => shared.release(),
    () => {},
  );
}
