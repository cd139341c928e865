/** Runs few pieces of work at once, with clients that take turns. */

import { BusyError } from '../http-error.js';

/** Runs few pieces of work at once: clients take turns, and the work of one client runs in order. */
export class ClientTurns {
  /** Clients in the order of their turns; after its turn a client goes to the end. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #count = 0;
  #running = 0;

  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting: number,
  ) {}

  /** Runs `work` when it is the client's turn. Throws `BusyError` when too many wait. */
  async take<T>(client: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.atOnce) await this.#wait(client);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #wait(client: string): Promise<void> {
    if (this.#count >= this.mostWaiting) throw new BusyError('too many passwords are being checked\n', 1);
    this.#count += 1;
    return new Promise((resolve) => {
      const own = this.#waiting.get(client) ?? [];
      own.push(resolve);
      this.#waiting.set(client, own);
    });
  }

  /** Gives the turn to the next client, or frees it. */
  #passOn(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    const [client, own] = next;
    this.#waiting.delete(client);
    const resume = own.shift();
    if (own.length > 0) this.#waiting.set(client, own);
    this.#count -= 1;
    resume?.();
  }
}
