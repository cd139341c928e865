/**
 * Limits on how much one query may read and hold, and on how long it may run, for all graphs that it reads together.
 * What it reads and holds is counted in values: fields of the answer, elements of lists and rows from the engine.
 */

import { GraphQLError } from 'graphql';
import type { SearchOptions } from '../native/types.js';
import { Queue } from '../queues.js';
import { Pace } from './pace.js';

/** List elements and rows that one query may read. */
const MOST_ITEMS = 1_000_000;
/** Values that one query may hold at once. */
const MOST_HELD = 200_000;
/** A query that needs more values than this is large; few large queries run at once. */
const MOST_OF_SMALL = 10_000;
/** How long one query may run, milliseconds. */
const LONGEST_MS = 20_000;
/** How long the answer may wait for its client in total, milliseconds. */
const LONGEST_CLIENT_MS = 120_000;

const TOO_MUCH = `The query reads more than ${MOST_ITEMS} list elements`;
const TOO_LARGE = `The query holds more than ${MOST_HELD} values at once`;
const TOO_LONG = `The query runs longer than ${LONGEST_MS / 1000} s`;
const TOO_SLOW = `The client took longer than ${LONGEST_CLIENT_MS / 1000} s to take the answer`;

/** The client is not reading its answer, which therefore holds memory that others need. */
export class SlowClient extends GraphQLError {}

/** A search; the options give its time limit and its stop signal. */
export type Search<T> = (options: SearchOptions) => Promise<T>;

/** What the server grants to queries. */
export interface Grants {
  /**
   * Resolves when one more large query may run; rejects when too many wait. The query counts as ended when the signal
   * fires.
   */
  readonly admitLarge: (over: AbortSignal) => Promise<void>;
  /** Runs a search when it is its turn among all searches; rejects when too many wait. */
  readonly search: <T>(work: Search<T>, over: AbortSignal) => Promise<T>;
}

/** Counts what a query uses and ends the query when it exceeds a limit. */
export class Allowance {
  readonly pace = new Pace(() => performance.now() <= this.#deadline || this.#refuse(TOO_LONG));
  /** Rejects with the reason when the query has to end; results that come later are ignored. */
  readonly exceeded: Promise<never>;

  #deadline = performance.now() + LONGEST_MS;
  #stoppedSince: number | undefined;
  #stoppedMs = 0;
  #clientTimer: NodeJS.Timeout | undefined;
  #items = 0;
  #held = 0;
  #used = 0;
  #isLarge = false;
  readonly #searches = new Queue();
  #reject: (error: Error) => void = () => {};
  readonly #over = new AbortController();

  constructor(private readonly grants: Grants) {
    this.exceeded = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.exceeded.catch(() => {});
  }

  /** Fires when the query ends, for any reason. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /**
   * Counts list elements or rows that are read. Throws, and ends the query, when it has read too many or runs too long.
   */
  spend(items: number): void {
    this.#items += items;
    if (this.#items > MOST_ITEMS) this.#throw(TOO_MUCH);
    if (performance.now() > this.#deadline) this.#throw(TOO_LONG);
  }

  /** Counts values that are kept until the answer, or the current part of it, is written. */
  hold(values: number): void {
    this.#held += values;
    this.#used += values;
    if (this.#held > MOST_HELD) this.#throw(TOO_LARGE);
    if (!this.#isLarge && this.#used > MOST_OF_SMALL) this.#becomeLarge();
  }

  /** Whether further lists should be read while the answer is written. */
  get holdsMuch(): boolean {
    return this.#held > MOST_HELD / 2;
  }

  /** Values that the query holds now. */
  get held(): number {
    return this.#held;
  }

  /** Frees what the query holds above `values`, because a part of the answer was written. */
  release(values: number): void {
    this.#held = Math.min(this.#held, values);
  }

  /**
   * Runs a search when the earlier ones of the query have ended, so that a query with many searches does not get ahead
   * of those of other clients.
   */
  search<T>(work: Search<T>): Promise<T> {
    return this.#searches.take(async () => {
      if (this.over.aborted) throw new GraphQLError('The query has ended');
      return this.grants.search((options) => work({ ...options, deadline: this.#shorter(options) }), this.over);
    });
  }

  #shorter({ deadline = LONGEST_MS / 1000 }: SearchOptions): number {
    return Math.max(0.001, Math.min(deadline, (this.#deadline - performance.now()) / 1000));
  }

  /** Stops the clock of the query until `startClock`, while the client reads what was sent. */
  stopClock(): void {
    if (this.#stoppedSince !== undefined || this.over.aborted) return;
    this.#stoppedSince = performance.now();
    this.#clientTimer = setTimeout(
      () => this.end(new SlowClient(TOO_SLOW)),
      LONGEST_CLIENT_MS - this.#stoppedMs,
    ).unref();
  }

  startClock(): void {
    if (this.#stoppedSince === undefined) return;
    clearTimeout(this.#clientTimer);
    const stoppedMs = performance.now() - this.#stoppedSince;
    this.#stoppedSince = undefined;
    this.#stoppedMs += stoppedMs;
    this.#deadline += stoppedMs;
  }

  /** Ends the query: what waits never gets a turn, and searches stop. `exceeded` rejects with `reason`. */
  end(reason: Error): void {
    this.pace.stop();
    clearTimeout(this.#clientTimer);
    this.#over.abort();
    this.#reject(reason);
  }

  /** Pauses the query until it is admitted as a large one. */
  #becomeLarge(): void {
    this.#isLarge = true;
    this.pace.pause();
    const since = performance.now();
    this.grants.admitLarge(this.over).then(
      () => {
        this.#deadline += performance.now() - since;
        this.pace.resume();
      },
      (error) => this.end(error),
    );
  }

  /**
   * Ends the query without giving turns to what still waits: letting a million fields fail one by one would take longer
   * than the query.
   */
  #refuse(complaint: string): false {
    this.end(new GraphQLError(complaint));
    return false;
  }

  #throw(complaint: string): never {
    this.#refuse(complaint);
    throw new GraphQLError(complaint);
  }
}
