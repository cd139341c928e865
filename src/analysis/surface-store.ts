/** The surfaces that requests have made, by id. */

import type { Surface } from '../native/types.js';
import { routerOf } from './graph-key.js';

/** A surface with the parameters of its request. */
export interface StoredSurface {
  readonly id: number;
  /** Every query parameter of the request, the first value of each. */
  readonly params: Readonly<Record<string, string>>;
  /** The graph that the surface belongs to. */
  readonly graphKey: string;
  readonly times: Surface;
}

/** Number of surfaces kept. */
const CAPACITY = 100;

/** Ids count from 0 in every process, and no process uses one again. */
export class SurfaceStore {
  /** The least recently used first. */
  readonly #surfaces = new Map<number, StoredSurface>();
  #nextId = 0;

  constructor(private readonly capacity = CAPACITY) {}

  /** Keeps a surface; the least recently used one goes when there are too many. */
  add(params: Readonly<Record<string, string>>, graphKey: string, times: Surface): StoredSurface {
    const surface: StoredSurface = { id: this.#nextId, params, graphKey, times };
    this.#nextId += 1;
    this.#surfaces.set(surface.id, surface);
    for (const id of this.#surfaces.keys()) {
      if (this.#surfaces.size <= this.capacity) break;
      this.remove(id);
    }
    return surface;
  }

  /** The surface with an id; it counts as used. */
  get(id: number): StoredSurface | undefined {
    const surface = this.#surfaces.get(id);
    if (surface !== undefined) {
      this.#surfaces.delete(id);
      this.#surfaces.set(id, surface);
    }
    return surface;
  }

  /** All, by id. */
  list(): StoredSurface[] {
    return [...this.#surfaces.values()].sort((a, b) => a.id - b.id);
  }

  /** Removes a surface; returns whether there was one. Running look-ups finish. */
  remove(id: number): boolean {
    this.#surfaces.get(id)?.times.dispose();
    return this.#surfaces.delete(id);
  }

  /** Removes the surfaces of a router, for all its graphs: each keeps its graph in memory. */
  removeOf(routerId: string): void {
    for (const { id, graphKey } of this.list()) {
      if (routerOf(graphKey) === routerId) this.remove(id);
    }
  }
}
