/** Gives the elements of lists out as time allows, so that other requests get their turn in between. */

/** A turn is meant to take about this long, milliseconds. */
const TURN_MS = 4;
/** What an element causes may take until then: it costs less when it need not wait. */
const LATEST_MS = 8;
/** Steps that it takes from a released element until all that it causes at once was read. */
const STEPS = 4;

/** The turns of one query. */
export class Pace {
  #waiting: (() => void)[] = [];
  #next = 0;
  #started = performance.now();
  #releasing = false;
  #stopped = false;

  /** `mayGoOn` is asked before each turn; nothing that waits comes after a no. */
  constructor(private readonly mayGoOn: () => boolean) {}

  /** Whether the present turn may go on: what is read at once now does not make it too long. */
  get hasTime(): boolean {
    return this.#elapsed < LATEST_MS;
  }

  get #elapsed(): number {
    return performance.now() - this.#started;
  }

  /** The element, in a turn of its own or shared with others. Whole lists wait: it costs one promise. */
  turn<T>(element: T): Promise<T> {
    return new Promise((resolve) => {
      if (this.#stopped) return;
      this.#waiting.push(() => resolve(element));
      if (!this.#releasing) this.#schedule();
    });
  }

  /** Nothing that waits, or will, gets a turn any more. */
  stop(): void {
    this.#stopped = true;
    this.#waiting = [];
    this.#next = 0;
  }

  #schedule(): void {
    this.#releasing = true;
    setImmediate(() => this.#release());
  }

  /** One element after the other, each with all that it causes, until the turn has taken its time. */
  async #release(): Promise<void> {
    if (!this.mayGoOn()) return this.stop();
    this.#started = performance.now();
    do {
      this.#waiting[this.#next++]?.();
      for (let step = 0; step < STEPS; step++) await undefined;
    } while (this.#next < this.#waiting.length && this.#elapsed < TURN_MS);
    if (this.#next < this.#waiting.length) return this.#schedule();
    this.#waiting = [];
    this.#next = 0;
    this.#releasing = false;
  }
}
