/** Releases the parts of a query over time, so that other requests get their turn in between. */

import { nextTurn } from '../turns.js';

/** A turn is meant to take about this long, milliseconds. */
const TURN_MS = 4;
/** An element may cause work until then without waiting, which costs less. */
const LATEST_MS = 8;
/** Steps from the release of an element until everything that it causes at once was read. */
const STEPS = 4;
/** What one element, or field, caused to wait. */
interface Group {
  readonly waiting: ((() => void) | undefined)[];
  next: number;
}

/** The turns of one query. */
export class Pace {
  /** The last group comes first: what has begun is finished before more is begun, so that little is in progress. */
  #groups: Group[] = [];
  #started = Number.NEGATIVE_INFINITY;
  #releasing = false;
  #paused = false;
  #stopped = false;

  /** `mayGoOn` is called before each turn; once it returns false, nothing that waits will run. */
  constructor(private readonly mayGoOn: () => boolean) {}

  /** Whether the present turn may go on: what is read now does not make it too long. */
  get hasTime(): boolean {
    return !this.#paused && this.#elapsed < LATEST_MS;
  }

  get #elapsed(): number {
    return performance.now() - this.#started;
  }

  /** The element, in a turn of its own or shared with others. Whole lists wait together, which costs one promise. */
  turn<T>(element: T): Promise<T> {
    return new Promise((resolve) => {
      if (this.#stopped) return;
      if (this.#groups.length === 0) this.#groups.push({ waiting: [], next: 0 });
      this.#groups.at(-1)?.waiting.push(() => resolve(element));
      this.#schedule();
    });
  }

  /** Nothing gets a turn until `resume`. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    if (this.#groups.length > 0) this.#schedule();
  }

  /** Nothing that waits, now or later, gets a turn any more. */
  stop(): void {
    this.#stopped = true;
    this.#groups = [];
  }

  #schedule(): void {
    if (this.#releasing || this.#paused || this.#stopped) return;
    this.#releasing = true;
    this.#release();
  }

  /** Releases elements, each with all that it causes, until the turn has taken its time. */
  async #release(): Promise<void> {
    await nextTurn();
    this.#releasing = false;
    if (this.#stopped || this.#paused) return;
    if (!this.mayGoOn()) return this.stop();
    this.#releasing = true;
    this.#started = performance.now();
    do {
      const resume = this.#takeFirst();
      const caused: Group = { waiting: [], next: 0 };
      this.#groups.push(caused);
      resume?.();
      for (let step = 0; step < STEPS; step++) await undefined;
      if (caused.waiting.length === 0 && this.#groups.at(-1) === caused) this.#groups.pop();
    } while (!this.#paused && this.#groups.length > 0 && this.#elapsed < TURN_MS);
    this.#releasing = false;
    if (this.#groups.length > 0) this.#schedule();
  }

  /** Takes the first of the last group. */
  #takeFirst(): (() => void) | undefined {
    const group = this.#groups.at(-1);
    if (group === undefined) return undefined;
    const resume = group.waiting[group.next];
    group.waiting[group.next++] = undefined;
    if (group.next === group.waiting.length) this.#groups.pop();
    return resume;
  }
}
