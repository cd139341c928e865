/** The functions that watch values. */

import type { Take } from './shared-values.js';

/** Watchers by the name of their value. */
export class Watchers {
  readonly #byName = new Map<string, Take[]>();

  add(name: string, take: Take): void {
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), take]);
  }

  /** The names of the values that are watched. */
  names(): Iterable<string> {
    return this.#byName.keys();
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Passes a value to all that watch it. Resolves with what they answer once all have taken it. */
  take(name: string, text: string | undefined): Promise<(string | undefined)[]> {
    return Promise.all((this.#byName.get(name) ?? []).map((take) => take(text)));
  }
}
