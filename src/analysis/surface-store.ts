/** The surfaces that requests have made, by id. All processes that share their state have the same ones. */

import { randomUUID } from 'node:crypto';
import { HttpError } from '../http-error.js';
import type { PlanRequest, Surface } from '../native/types.js';
import { quoted } from '../quoted.js';
import { SharedLedger } from '../sharing/ledger.js';
import { MissingContent, type SharedContents, wholeContent } from '../sharing/shared-contents.js';
import type { SharedValues } from '../sharing/shared-values.js';
import { graphKey, routerOf } from './graph-key.js';

/** A surface with the parameters of its request. */
export interface StoredSurface extends ListedSurface {
  /** The graph that the surface belongs to. */
  readonly graphKey: string;
  readonly times: Surface;
}

/** The part of a surface that clients see. */
export interface ListedSurface {
  readonly id: number;
  /** Every query parameter of the request, the first value of each. */
  readonly params: Readonly<Record<string, string>>;
}

/** A surface that is not stored yet. */
export interface SearchedSurface {
  /** Every query parameter, the first value of each. */
  readonly params: Readonly<Record<string, string>>;
  readonly router: SurfaceRouter;
  readonly request: PlanRequest;
  readonly times: Surface;
}

interface SurfaceRouter {
  readonly id: string;
  readonly generation: number;
  /** Hash of the graph's file; undefined for graphs that have none. */
  readonly content?: string | undefined;
}

/** Makes a surface from its bytes, on a graph with this content; undefined when this process does not serve it. */
export type RestoreSurface = (
  router: Pick<SurfaceRouter, 'id' | 'content'>,
  request: PlanRequest,
  bytes: () => Promise<Uint8Array>,
) => Promise<{ readonly graphKey: string; readonly times: Surface } | undefined>;

/** Other processes that have the same surfaces. */
interface SurfaceSharing {
  readonly contents: SharedContents;
  readonly restore: RestoreSurface;
  /** Whether the processes belong to several hosts, any of which may lose its memory. */
  readonly hosts: boolean;
}

/** The description of a surface, which all processes have. */
interface SharedSurface {
  readonly params: Readonly<Record<string, string>>;
  readonly router: string;
  readonly graph: string | undefined;
  readonly request: PlanRequest;
  /** Bytes of memory that it takes in each process. */
  readonly bytes: number;
  /** Name of its bytes among the shared contents; undefined in a server of one process. */
  readonly content?: string | undefined;
}

interface Held {
  readonly graphKey: string;
  readonly times: Surface;
}

/** Most surfaces that are kept. */
export const MOST_SURFACES = 100;

/** Limits on the surfaces that are kept. */
interface SurfaceLimits {
  /** Most bytes that the surfaces may take in a process. */
  readonly bytes: number;
  /** Most surfaces. */
  readonly count?: number;
}

/** The first second of 2020: before any host gave an id. */
const LEAST_SHARED_ID = 1_577_836_800;

/** Surfaces of several hosts are forgotten after this time, milliseconds. */
const SHARED_MS = 24 * 3_600_000;

/**
 * Surfaces by id. Ids count from 0; in Redis they count from the time at which it was last empty, so that no id is used
 * again.
 */
export class SurfaceStore {
  readonly #ledger: SharedLedger<SharedSurface>;
  /** Those in the memory of this process, the least recently used first; others are fetched on demand. */
  readonly #held = new Map<number, Promise<Held | undefined>>();
  /** The largest id that this process knows of. */
  #last = -1;

  constructor(
    values: SharedValues,
    private readonly limits: SurfaceLimits,
    private readonly sharing?: SurfaceSharing,
  ) {
    this.#ledger = new SharedLedger<SharedSurface>(values, {
      name: 'surfaces',
      form: 2,
      // The processes of one host need only the last id that was given.
      ...(sharing?.hosts ? { keptMs: SHARED_MS } : { remembered: 1 }),
      follow: (changes) => this.#follow([...changes.keys()].map(Number)),
      restore: (id, surface) => this.#giveBack(Number(id), surface),
    });
    sharing?.contents.keep(() => [...this.#ledger.present().values()].flatMap(({ content }) => content ?? []));
  }

  /** Throws an `HttpError` 413 when the surfaces of one request take more memory than all surfaces together may. */
  requireRoom(searched: readonly SearchedSurface[]): void {
    const bytes = sumOf(searched.map(({ times }) => times.memoryBytes()));
    if (bytes <= this.limits.bytes) return;
    throw new HttpError(
      413,
      `${bytes} bytes of surfaces, but at most ${this.limits.bytes} are kept (maxSurfaceBytes)\n`,
    );
  }

  /**
   * Keeps surfaces. The least recently used ones are dropped when there are too many or they take too much memory.
   * Rejects as `requireRoom` throws. If it fails, all the new surfaces are disposed of.
   */
  async add(searched: readonly SearchedSurface[]): Promise<StoredSurface[]> {
    const contents = searched.map(() => (this.sharing === undefined ? undefined : `surface-${randomUUID()}`));
    let ids: number[] = [];
    try {
      this.requireRoom(searched);
      for (const [i, name] of contents.entries()) {
        if (name !== undefined)
          await this.sharing?.contents.put(name, [await (searched[i] as SearchedSurface).times.toBytes()]);
      }
      await this.#ledger.change((present, isNew) => {
        for (const id of ids) this.#held.delete(id);
        const first = this.#firstId([...present.keys()].map(Number), isNew);
        ids = searched.map((_, i) => first + i);
        const added = searched.map(({ params, router, request, times }, i): [string, SharedSurface] => [
          String(ids[i]),
          {
            params,
            router: router.id,
            graph: router.content,
            request,
            bytes: times.memoryBytes(),
            content: contents[i],
          },
        ]);
        // Held before the change is announced, so that this process does not fetch what it already has.
        for (const [i, id] of ids.entries()) this.#hold(id, searched[i] as SearchedSurface);
        return new Map<string, SharedSurface | undefined>([...this.#surplus(present, added), ...added]);
      });
    } catch (error) {
      for (const id of ids) this.#held.delete(id);
      for (const { times } of searched) times.dispose();
      throw error;
    }
    return searched.map(({ params, router, times }, i) => ({
      id: ids[i] as number,
      params,
      graphKey: graphKey(router),
      times,
    }));
  }

  /**
   * The surface with an id; it counts as used. Undefined when there is none; rejects with an `HttpError` 410 for one
   * that is lost or that this process cannot show, 503 when it cannot be fetched now.
   */
  async get(id: number): Promise<StoredSurface | undefined> {
    const surface = this.#shared(id);
    if (surface === undefined) return undefined;
    const held = await this.#fetched(id, surface);
    if (held === undefined) {
      throw new HttpError(
        410,
        `surface ${id} belongs to a graph of router ${quoted(surface.router)} that is not served here\n`,
      );
    }
    return { id, params: surface.params, ...held };
  }

  /**
   * The description of a surface, whether or not this process has it; undefined when there is none. Throws an
   * `HttpError` 410 for one that is lost.
   */
  listed(id: number): ListedSurface | undefined {
    const surface = this.#shared(id);
    return surface && { id, params: surface.params };
  }

  /** All, by id. */
  list(): ListedSurface[] {
    const all = [...this.#ledger.present()].map(([id, { params }]) => ({ id: Number(id), params }));
    return all.sort((a, b) => a.id - b.id);
  }

  /** Removes a surface; returns whether there was one. Running look-ups finish. */
  async remove(id: number): Promise<boolean> {
    return (await this.#remove((other) => other === id)) > 0;
  }

  /**
   * Releases the surfaces of a router that is no longer served here, for all its graphs, because each surface keeps its
   * graph in memory. With `everywhere`, removes them from all processes.
   */
  async removeOf(routerId: string, everywhere: boolean): Promise<void> {
    for (const [id, holding] of this.#held) {
      const held = await holding.catch(() => undefined);
      if (held !== undefined && routerOf(held.graphKey) === routerId) this.#letGo(id);
    }
    if (everywhere) await this.#remove((_, { router }) => router === routerId);
  }

  async #remove(isMeant: (id: number, surface: SharedSurface) => boolean): Promise<number> {
    const all = () => [...this.#ledger.present()].filter(([id, surface]) => isMeant(Number(id), surface));
    const contents = all().flatMap(([, { content }]) => content ?? []);
    if (all().length === 0) return 0;
    let count = 0;
    await this.#ledger.change((present) => {
      const ids = [...present].flatMap(([id, surface]) => (isMeant(Number(id), surface) ? [id] : []));
      count = ids.length;
      return new Map(ids.map((id) => [id, undefined]));
    });
    // Nobody will request them; those that cannot be removed now expire.
    for (const name of contents) this.sharing?.contents.remove(name).catch(() => {});
    return count;
  }

  /**
   * The description with an id; undefined when there is none, or when a client has removed it. Throws an `HttpError` 410
   * for an id that hosts may have given before all of them and Redis lost it: such ids are times.
   */
  #shared(id: number): SharedSurface | undefined {
    const surface = this.#ledger.get(String(id));
    if (surface !== undefined || this.#ledger.isKnown(String(id))) return surface;
    if (this.sharing?.hosts && id >= LEAST_SHARED_ID && id < Date.now() / 1000) throw gone(id);
    return undefined;
  }

  /**
   * The first id for new surfaces. After Redis has lost its data, ids that others may have given must not be given
   * again.
   */
  #firstId(present: readonly number[], isNew: boolean): number {
    this.#last = Math.max(this.#last, ...present);
    const least = isNew && this.sharing?.hosts ? Math.floor(Date.now() / 1000) : 0;
    return Math.max(least, this.#last + 1);
  }

  /**
   * The surfaces, least recently used first as far as this process knows, that have to be dropped when others are
   * added.
   */
  #surplus(
    present: ReadonlyMap<string, SharedSurface>,
    added: readonly (readonly [string, SharedSurface])[],
  ): [string, undefined][] {
    const used = [...this.#held.keys()].map(String).filter((id) => present.has(id));
    const others = [...present.keys()].filter((id) => !used.includes(id));
    const { bytes: mostBytes, count: most = MOST_SURFACES } = this.limits;
    let count = present.size + added.length;
    let bytes = sumOf([...present, ...added].map(([, surface]) => surface.bytes));
    const going: [string, undefined][] = [];
    for (const id of [...others, ...used]) {
      if (count <= most && bytes <= mostBytes) break;
      count -= 1;
      bytes -= present.get(id)?.bytes ?? 0;
      going.push([id, undefined]);
    }
    return going;
  }

  /** Fetches surfaces that other processes have added, and releases those that are gone. */
  async #follow(ids: readonly number[]): Promise<undefined> {
    this.#last = Math.max(this.#last, ...ids);
    await Promise.all(
      ids.map((id) => {
        const surface = this.#ledger.get(String(id));
        if (surface === undefined) return this.#letGo(id);
        // One that cannot be fetched now is fetched on demand.
        return this.#fetched(id, surface).catch(() => {});
      }),
    );
  }

  /** The surface in this process; it counts as used. */
  #fetched(id: number, surface: SharedSurface): Promise<Held | undefined> {
    const known = this.#held.get(id);
    const holding = known ?? this.#fetch(id, surface);
    this.#held.delete(id);
    this.#held.set(id, holding);
    if (known === undefined) {
      const forget = () => this.#held.get(id) === holding && this.#held.delete(id);
      holding.then((held) => held === undefined && forget(), forget);
    }
    return holding;
  }

  async #fetch(id: number, { router, graph, request, content }: SharedSurface): Promise<Held | undefined> {
    const { sharing } = this;
    if (sharing === undefined || content === undefined) return undefined;
    const bytes = () =>
      wholeContent(sharing.contents.get(content)).catch((error) => {
        throw error instanceof MissingContent ? gone(id) : error;
      });
    return sharing.restore({ id: router, content: graph }, request, bytes);
  }

  #hold(id: number, { router, times }: SearchedSurface): void {
    this.#held.set(id, Promise.resolve({ graphKey: graphKey(router), times }));
  }

  #letGo(id: number): void {
    const holding = this.#held.get(id);
    this.#held.delete(id);
    holding?.then(
      (held) => held?.times.dispose(),
      () => {},
    );
  }

  /** Whether the other processes can get the bytes. If this process has the surface, it puts them back. */
  async #giveBack(id: number, { content }: SharedSurface): Promise<boolean> {
    if (this.sharing === undefined || content === undefined) return true;
    const held = await this.#held.get(id)?.catch(() => undefined);
    if (held !== undefined) await this.sharing.contents.put(content, [await held.times.toBytes()]);
    return held !== undefined || (await this.sharing.contents.has(content));
  }
}

function gone(id: number): HttpError {
  return new HttpError(410, `surface ${id} is gone: no host has it any more\n`);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
