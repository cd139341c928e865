/** Work done one item at a time, first come, first served. */

/** Queues by name. */
export class Queues {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` when all earlier work of this name has ended. */
  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    }
  }
}
