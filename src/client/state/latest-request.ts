/** One request at a time for one purpose: a new one cancels the one before it. */

import { type ReadonlySignal, signal } from '@preact/signals';
import { type Problem, problemOf, retryPause } from '../api/problem.js';

/**
 * The state of the latest request. While it runs, the value of the one before it stays; when it fails, only if it was the
 * same request. A value with a problem could not be refreshed. The problem stays while the same request runs again.
 */
export interface RequestStatus<T> {
  readonly running: boolean;
  readonly value?: T;
  readonly problem?: Problem;
}

/** Runs requests and reports their state. */
export class LatestRequest<T> {
  readonly #status = signal<RequestStatus<T>>({ running: false });
  #running = new AbortController();
  #latest: ((signal: AbortSignal) => Promise<T>) | undefined;
  /** The request that the value answers. */
  #answered: ((signal: AbortSignal) => Promise<T>) | undefined;

  /** How often the latest request has failed in a row, and until when it is not repeated for that, by the page's clock. */
  #failures = 0;
  #restsUntil = 0;

  get status(): ReadonlySignal<RequestStatus<T>> {
    return this.#status;
  }

  /**
   * Whether a request that is repeated regularly may be sent now: not before a slow answer, which would never come, and
   * not soon after failures.
   */
  get isDue(): boolean {
    return !this.#status.peek().running && performance.now() >= this.#restsUntil;
  }

  /** Starts a request. Resolves when it has ended in any way; `status` says how. */
  async run(request: (signal: AbortSignal) => Promise<T>): Promise<void> {
    this.#running.abort();
    const own = new AbortController();
    this.#running = own;
    const { value: last, problem } = this.#status.peek();
    // What has failed stays marked as such until there is an answer.
    const isRepeated = this.#latest === request && problem !== undefined;
    if (!isRepeated) this.#failures = 0;
    this.#latest = request;
    this.#status.value = { running: true, value: last, ...(isRepeated && { problem }) };
    try {
      const value = await request(own.signal);
      if (own.signal.aborted) return;
      this.#answered = request;
      this.#restsUntil = 0;
      this.#status.value = { running: false, value };
    } catch (error) {
      if (own.signal.aborted) return;
      this.#failures += 1;
      this.#restsUntil = performance.now() + retryPause(this.#failures);
      const value = this.#answered === request ? this.#status.peek().value : undefined;
      this.#status.value = { running: false, value, problem: problemOf(error) };
    }
  }

  /** Runs the latest request again. */
  retry(): Promise<void> {
    return this.#latest === undefined ? Promise.resolve() : this.run(this.#latest);
  }

  /** Stops the request and forgets its answer. */
  clear(): void {
    this.#running.abort();
    this.#latest = undefined;
    this.#status.value = { running: false };
  }
}
