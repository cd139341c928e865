/**
 * Limits how many searches run and wait. In a burst, searches queue, first come, first served. If searches have to be
 * refused again and again, the allowed wait shrinks to about one search's time and the latest come first: those that are
 * served hardly wait, and the others get 503 at once.
 */

import { BusyError } from '../http-error.js';

/** Bounds of the searches. */
export interface AdmissionOptions {
  /** Most searches that run at once. */
  readonly concurrency: number;
  /** Most searches that may wait. */
  readonly maxQueued: number;
  /** Longest wait in a burst, milliseconds. */
  readonly maxWaitMs: number;
  /** When searches have been refused for longer than this time, it is an overload and not a burst. Default 1000 ms. */
  readonly burstMs?: number;
  /** The computer's clock unless another one is given. */
  readonly clock?: Clock;
}

/** A clock with alarms. */
export interface Clock {
  /** Milliseconds since a fixed moment. */
  now(): number;
  /** Calls `then` after a number of milliseconds. */
  after(milliseconds: number, then: () => void): void;
}

const COMPUTER_CLOCK: Clock = {
  now: () => performance.now(),
  after: (milliseconds, then) => {
    setTimeout(then, milliseconds).unref();
  },
};

/** The present numbers, for the metrics. */
export interface AdmissionState {
  readonly running: number;
  readonly queued: number;
  readonly rejected: number;
}

interface Waiter {
  admit(): void;
  refuse(): void;
  readonly since: number;
}

/** The first and the last of a row of refusals in which none came much later than the one before it. */
interface Refusals {
  readonly since: number;
  readonly until: number;
}

/** Shortest wait that is allowed: below it, the turns of the event loop matter more than the searches. */
const LEAST_WAIT_MS = 5;

/** Admits a bounded number of searches. */
export class Admission {
  readonly #queue: Waiter[] = [];
  /** Searches that wait until no others do. */
  readonly #patient: Array<() => void> = [];
  #running = 0;
  #rejected = 0;
  /** Smoothed duration of a search, milliseconds. */
  #serviceMs = 50;
  #refusals: Refusals | undefined;
  /** Estimated time of all searches requested since `#demandSince`, milliseconds. */
  #demandMs = 0;
  #demandSince = 0;

  readonly #clock: Clock;

  constructor(private readonly options: AdmissionOptions) {
    this.#clock = options.clock ?? COMPUTER_CLOCK;
  }

  /** Present metrics. */
  get state(): AdmissionState {
    return { running: this.#running, queued: this.#queue.length, rejected: this.#rejected };
  }

  /** Runs a search when its turn comes; throws `BusyError` when it would wait too long. */
  async run<T>(search: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal);
    const started = this.#clock.now();
    try {
      return await search();
    } finally {
      this.#serviceMs += (this.#clock.now() - started - this.#serviceMs) / 16;
      this.#running -= 1;
      this.#admitNext();
    }
  }

  /**
   * Runs a search when there is a free turn that no other search waits for, however late that is. Rejects with the
   * reason of `signal` if it fires before that.
   */
  async runWhenIdle<T>(search: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#running < this.options.concurrency && this.#queue.length === 0) this.#running += 1;
    else await this.#waitUntilIdle(signal);
    try {
      return await search();
    } finally {
      this.#running -= 1;
      this.#admitNext();
    }
  }

  #waitUntilIdle(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#patient.splice(this.#patient.indexOf(admit), 1);
        reject(signal.reason);
      };
      const admit = () => {
        signal.removeEventListener('abort', leave);
        this.#running += 1;
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#patient.push(admit);
    });
  }

  #enter(signal: AbortSignal | undefined): Promise<void> {
    this.#countDemand();
    if (this.#running < this.options.concurrency && this.#queue.length === 0) {
      this.#running += 1;
      return Promise.resolve();
    }
    if (this.#queue.length >= this.options.maxQueued) {
      const oldest = this.#overloaded ? this.#queue.shift() : undefined;
      if (oldest === undefined) return Promise.reject(this.#refusal());
      oldest.refuse();
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        since: this.#clock.now(),
        admit: () => {
          signal?.removeEventListener('abort', leave);
          this.#running += 1;
          resolve();
        },
        refuse: () => {
          signal?.removeEventListener('abort', leave);
          reject(this.#refusal());
        },
      };
      const leave = () => {
        const place = this.#queue.indexOf(waiter);
        if (place >= 0) this.#queue.splice(place, 1);
        reject(new BusyError('the client closed the connection\n', 1));
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#queue.push(waiter);
      this.#watch(waiter);
    });
  }

  /** Refuses a waiting search whose time is over, and checks again, because the allowed wait may have shrunk. */
  #watch(waiter: Waiter): void {
    this.#clock.after(this.#allowedWait, () => {
      const place = this.#queue.indexOf(waiter);
      if (place < 0) return;
      if (this.#clock.now() - waiter.since < this.#allowedWait) return this.#watch(waiter);
      this.#queue.splice(place, 1);
      waiter.refuse();
    });
  }

  #admitNext(): void {
    while (this.#running < this.options.concurrency) {
      const next = this.#overloaded ? this.#queue.pop() : this.#queue.shift();
      if (next === undefined) break;
      if (this.#clock.now() - next.since > this.#allowedWait) next.refuse();
      else next.admit();
    }
    while (this.#running < this.options.concurrency && this.#queue.length === 0) {
      const admit = this.#patient.shift();
      if (admit === undefined) break;
      admit();
    }
  }

  /**
   * Ends an overload when demand is below capacity. Refusals cannot tell: with the short wait of an overload, some
   * requests are refused at any load, and they must not prolong it.
   */
  #countDemand(): void {
    const now = this.#clock.now();
    const passed = now - this.#demandSince;
    if (passed > this.#burst()) {
      if (this.#demandMs < passed * this.options.concurrency) this.#refusals = undefined;
      this.#demandMs = 0;
      this.#demandSince = now;
    }
    this.#demandMs += this.#serviceMs;
  }

  /**
   * Refusals show an overload, but waiting does not: clients that send a request when they have the answer to the last
   * one may keep the queue busy for hours, although it never becomes longer.
   */
  get #overloaded(): boolean {
    const refusals = this.#presentRefusals;
    return refusals !== undefined && this.#clock.now() - refusals.since > this.#burst();
  }

  get #presentRefusals(): Refusals | undefined {
    const refusals = this.#refusals;
    return refusals && this.#clock.now() - refusals.until <= this.#burst() ? refusals : undefined;
  }

  get #allowedWait(): number {
    const { maxWaitMs } = this.options;
    return this.#overloaded ? Math.min(maxWaitMs, Math.max(LEAST_WAIT_MS, this.#serviceMs)) : maxWaitMs;
  }

  /** How long searches may be refused before it is an overload: at least the time in which a full queue empties. */
  #burst(): number {
    const { burstMs = 1000, concurrency, maxQueued } = this.options;
    return Math.max(burstMs, (maxQueued * this.#serviceMs) / concurrency);
  }

  #refusal(): BusyError {
    this.#rejected += 1;
    const now = this.#clock.now();
    this.#refusals = { since: this.#presentRefusals?.since ?? now, until: now };
    const seconds = ((this.#queue.length + this.#running) * this.#serviceMs) / this.options.concurrency / 1000;
    return new BusyError('the server is busy, try again later\n', Math.min(60, Math.max(1, seconds)));
  }
}
