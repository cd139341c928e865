/** Work done one item at a time, first come, first served. */

const nothing = () => {};

export class Queue {
  #last: Promise<void> = Promise.resolve();

  /** Runs `work` when all earlier work has ended. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    // Without the result, which may be large.
    this.#last = turn.then(nothing, nothing);
    return turn;
  }

  /** Resolves when all work so far has ended. */
  settled(): Promise<void> {
    return this.#last;
  }
}

/** Queues by name. */
export class Queues {
  readonly #queues = new Map<string, Queue>();

  /** Runs `work` when all earlier work of this name has ended. */
  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(name) ?? new Queue();
    this.#queues.set(name, queue);
    const turn = queue.take(work);
    const settled = queue.settled();
    try {
      return await turn;
    } finally {
      if (queue.settled() === settled) this.#queues.delete(name);
    }
  }
}
