/** Gives the elements of long lists out a few at a time, so that other requests get their turn in between. */

/** A turn is meant to take about this long, milliseconds. */
const TURN_MS = 4;
/** Most elements in one turn: a turn costs next to nothing, so that small elements need no more. */
const MOST = 64;

/** The turns of one query. */
export class Pace {
  #waiting: (() => void)[] = [];
  #next = 0;
  /** Elements per turn; follows the time that the last ones took. */
  #count = 8;
  #started = 0;

  /** `checked` is called in each turn and may throw: everything that waits fails then. */
  constructor(private readonly checked: () => void) {}

  /** The element, in a turn of its own or shared with others. */
  async turn<T>(element: T): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length - this.#next === 1) this.#schedule();
    });
    this.checked();
    return element;
  }

  #schedule(): void {
    this.#started = performance.now();
    setImmediate(() => this.#release());
  }

  /** What the released elements cause runs before the next turn begins, so its begin tells how long they took. */
  #release(): void {
    if (this.#next > 0) this.#follow(performance.now() - this.#started);
    const end = Math.min(this.#waiting.length, this.#next + this.#count);
    while (this.#next < end) this.#waiting[this.#next++]?.();
    if (this.#next < this.#waiting.length) return this.#schedule();
    this.#waiting = [];
    this.#next = 0;
  }

  #follow(took: number): void {
    if (took > TURN_MS) this.#count = Math.max(1, this.#count >> 1);
    else if (took < TURN_MS / 2) this.#count = Math.min(MOST, this.#count * 2);
  }
}
