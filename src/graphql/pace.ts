/** Spreads the work of a query over time, so that other requests get their turn in between. */

import { nextTurn } from '../turns.js';

/** How long a turn is meant to take, milliseconds. */
const TURN_MS = 4;
/** Up to this time in a turn, an element may start work without waiting, which costs less; milliseconds. */
const LATEST_MS = 8;
/** Steps of the event loop after which everything that a released element reads at once has been read. */
const STEPS = 4;

/** Elements or fields that wait for a turn because of one element or field. */
interface WaitingGroup {
  readonly waiting: ((() => void) | undefined)[];
  next: number;
}

/** The turns of one query. */
export class Pace {
  /** The last group comes first: work that has begun is finished before more begins, so that little is in progress. */
  #groups: WaitingGroup[] = [];
  #started = Number.NEGATIVE_INFINITY;
  #releasing = false;
  #paused = false;
  #stopped = false;

  /** `mayContinue` is called before each turn; once it returns false, nothing that waits will run. */
  constructor(private readonly mayContinue: () => boolean) {}

  /** Whether the present turn has time left for more work. */
  get hasTime(): boolean {
    return !this.#paused && this.#elapsed < LATEST_MS;
  }

  get #elapsed(): number {
    return performance.now() - this.#started;
  }

  /**
   * Resolves with the element when it gets a turn, alone or with others. A whole list waits together, which costs one
   * promise.
   */
  turn<T>(element: T): Promise<T> {
    return new Promise((resolve) => {
      if (this.#stopped) return;
      if (this.#groups.length === 0) this.#groups.push({ waiting: [], next: 0 });
      this.#groups.at(-1)?.waiting.push(() => resolve(element));
      this.#schedule();
    });
  }

  /** Gives nothing a turn until `resume`. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    if (this.#groups.length > 0) this.#schedule();
  }

  /** Gives nothing a turn any more, now or later. */
  stop(): void {
    this.#stopped = true;
    this.#groups = [];
  }

  #schedule(): void {
    if (this.#releasing || this.#paused || this.#stopped) return;
    this.#releasing = true;
    this.#release();
  }

  /** Releases elements, each with the work that it starts, until the turn has taken its time. */
  async #release(): Promise<void> {
    await nextTurn();
    this.#releasing = false;
    if (this.#stopped || this.#paused) return;
    if (!this.mayContinue()) return this.stop();
    this.#releasing = true;
    this.#started = performance.now();
    do {
      const resume = this.#takeFirst();
      const caused: WaitingGroup = { waiting: [], next: 0 };
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
