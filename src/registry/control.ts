/**
 * The operations that change the set of routers of a host, as the interface defines them. One of several processes makes
 * a change in itself first and then in all others; only then is it answered.
 */

import path from 'node:path';
import { isLegalRouterId } from '../config/router-id.js';
import type { SharedLedger } from '../sharing/ledger.js';
import type { ProcessValues } from '../sharing/process-values.js';
import { fileVersion, routerDirectory } from './graph-file.js';
import {
  DirectorySource,
  type GraphMaker,
  type GraphSource,
  type ServedGraph,
  SharedSource,
  type SourceOptions,
  UploadedSource,
} from './graph-source.js';
import type { Pin } from './pin.js';
import type { PublishedGraphs } from './published.js';
import type { LoadOptions, RouterRegistry } from './registry.js';
import { servedGraphs } from './served-graphs.js';

/** The outcome of a PUT of one router. */
export type PutOutcome = 'registered' | 'reloaded' | 'not-found' | 'reload-failed';

/** The outcome of a POST of one router. */
export type ReplaceOutcome =
  | { readonly kind: 'registered' }
  /** The router was de-registered before the graph was served. */
  | { readonly kind: 'evicted' }
  | { readonly kind: 'failed'; readonly reason: string };

/** How a router is loaded from its directory. */
export interface PutOptions extends Partial<Pick<LoadOptions, 'preEvict'>> {
  /** Mirror the published graph to the directory only if the directory does not hold one yet. */
  readonly asKept?: boolean;
}

/** Settings of the operations. */
interface ControlOptions extends SourceOptions {
  readonly graphs: string;
}

/** Where graphs come from and who else serves them. */
interface ControlSurroundings {
  /** What the processes of this host have in common. */
  readonly own: ProcessValues;
  readonly pin?: Pin;
  readonly published?: PublishedGraphs | undefined;
  /** Other processes serve the same graphs, so opened copies stay until all processes have released them. */
  readonly isShared?: boolean;
}

/** Changes the routers of this host. */
export class RouterControl {
  /** Several processes agree on the graphs that they serve, not on the commands that led to them. */
  readonly #served: SharedLedger<ServedGraph> | undefined;

  constructor(
    private readonly registry: RouterRegistry,
    private readonly maker: GraphMaker,
    private readonly options: ControlOptions,
    private readonly around: ControlSurroundings,
  ) {
    if (around.isShared) this.#served = servedGraphs(around.own, (id, graph) => this.#follow(id, graph));
  }

  /**
   * Loads a router from its directory, or reloads it. If that fails, the previous graph stays in use. The published graph
   * is mirrored to the directory first.
   */
  put(id: string, options: PutOptions = {}): Promise<PutOutcome> {
    return this.#change(id, async () => {
      if (!isLegalRouterId(id)) return 'not-found';
      const registered = this.registry.isRegistered(id);
      const done = await this.#reload(id, options);
      if (registered) return done ? 'reloaded' : 'reload-failed';
      return done ? 'registered' : 'not-found';
    });
  }

  async reloadAll(options: LoadOptions): Promise<void> {
    for (const { id } of this.registry.list()) await this.#change(id, () => this.#reload(id, options));
  }

  /** Serves the graph in an uploaded file under this id from now on; the file then belongs to the router. */
  replace(id: string, file: string, preEvict: boolean): Promise<ReplaceOutcome> {
    return this.#change(id, async () => {
      const owner = this.around.isShared ? 'supervisor' : 'router';
      const source = new UploadedSource(path.resolve(file), this.maker, owner, this.options);
      const outcome = await this.registry.load(id, source, { preEvict, evictOnFailure: false });
      if (outcome.kind === 'registered') return { kind: 'registered' };
      if (outcome.kind === 'superseded') return { kind: 'evicted' };
      return { kind: 'failed', reason: withoutPath(outcome.error as Error, source.file) };
    });
  }

  /** Returns whether it was registered. */
  evict(id: string): Promise<boolean> {
    return this.#change(id, async () => this.registry.evict(id));
  }

  /** Returns how many there were. */
  async evictAll(): Promise<number> {
    const evicted = await Promise.all(this.registry.ids().map((id) => this.evict(id)));
    return evicted.filter(Boolean).length;
  }

  /** Runs `work`, which writes into the directory of a router, while no other such work for that router runs. */
  saving<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.around.own.withLock(`save ${id}`, work);
  }

  /** The directory a router is loaded from; the id must be legal. */
  directorySource(id: string): DirectorySource {
    const directory = routerDirectory(path.resolve(this.options.graphs), id);
    const { pin, isShared = false } = this.around;
    const pinning = pin === undefined ? undefined : { pin, shared: isShared };
    return new DirectorySource(directory, this.maker, this.options, pinning);
  }

  /** Makes a change of a router while no other process makes one, and sends the others what is served after it. */
  #change<T>(id: string, change: () => Promise<T>): Promise<T> {
    const served = this.#served;
    if (served === undefined) return change();
    return this.around.own.withLock(`router ${id}`, async () => {
      const before = this.registry.sourceOf(id);
      try {
        return await change();
      } finally {
        // Also after a failure, which may have removed the router.
        const now = this.registry.sourceOf(id);
        if (now !== before) await served.change(() => new Map([[id, now?.served]]));
      }
    });
  }

  /** Serves what another process serves. Throws when that is impossible. */
  async #follow(id: string, graph: ServedGraph | undefined): Promise<void> {
    const isServed = JSON.stringify(this.registry.sourceOf(id)?.served) === JSON.stringify(graph);
    if (isServed) return;
    if (graph === undefined) {
      this.registry.evict(id);
      return;
    }
    const source = new SharedSource(graph, this.maker, this.options);
    const outcome = await this.registry.load(id, source, { preEvict: false, evictOnFailure: true });
    if (outcome.kind === 'failed') throw outcome.error;
  }

  /**
   * Loads a router from its directory; returns whether that worked. The id must be legal. If the mirror cannot be
   * brought up to date, the router stays as it is, even with `evictOnFailure`.
   */
  async #reload(id: string, options: PutOptions & Partial<LoadOptions>): Promise<boolean> {
    const { preEvict = false, evictOnFailure = false, asKept = false } = options;
    if (!(await this.#mirror(id, asKept)) && this.registry.isRegistered(id)) return false;
    const source: GraphSource = this.directorySource(id);
    const present = this.registry.sourceOf(id);
    // An uploaded graph without a file in the router's directory has nothing to be replaced by.
    if (present?.kind === 'file' && (await fileVersion(source.file)) === undefined) return true;
    const outcome = await this.registry.load(id, source, { preEvict, evictOnFailure });
    return outcome.kind === 'registered';
  }

  /** Brings the router's directory up to date with the object store; without an object store there is nothing to do. */
  async #mirror(id: string, asKept: boolean): Promise<boolean> {
    const { published } = this.around;
    if (published === undefined) return true;
    if (asKept && (await published.restore(id))) return true;
    return published.mirror(id);
  }
}

/** The message of an error about an uploaded file, without the file's path on this server. */
export function withoutPath(error: Error, file: string): string {
  return error.message.replaceAll(file, 'the sent file');
}
