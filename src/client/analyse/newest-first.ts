/**
 * Requests that follow something that moves, such as a mark that is being dragged. Answers to earlier ones are shown
 * meanwhile, where `LatestRequest` would cancel them.
 */

/** Most requests under way at once: while one answer is on its way, the server already works on the next. */
const MOST_AT_ONCE = 2;

/**
 * Sends as many requests as the server can answer: while enough are under way, only the newest one waits. Answers that
 * arrive after that of a newer request are dropped, and so is the failure of any request but the newest.
 */
export class NewestFirst<Q, A> {
  #running = 0;
  #waiting: { query: Q } | undefined;
  #sent = 0;
  #shown = 0;

  /**
   * @param ask sends the request.
   * @param show is given the answer; it may take a while and is waited for.
   */
  constructor(
    private readonly ask: (query: Q) => Promise<A>,
    private readonly show: (answer: A, query: Q) => void,
    private readonly fail: (error: unknown) => void,
  ) {}

  /** Sends this request when possible; one that still waits is dropped. */
  request(query: Q): void {
    this.#waiting = { query };
    this.#next();
  }

  /** Drops the request that waits, and answers that have not arrived. */
  stop(): void {
    this.#waiting = undefined;
    this.#shown = this.#sent;
  }

  #next(): void {
    const waiting = this.#waiting;
    if (waiting === undefined || this.#running >= MOST_AT_ONCE) return;
    this.#waiting = undefined;
    const number = ++this.#sent;
    this.#running += 1;
    this.ask(waiting.query)
      .then((answer) => this.#take(number, () => this.show(answer, waiting.query)))
      .catch((error) => {
        // Only the failure of the newest request counts: after an older one has failed, the newest may still succeed.
        if (number === this.#sent && this.#waiting === undefined) this.#take(number, () => this.fail(error));
      })
      .finally(() => {
        this.#running -= 1;
        this.#next();
      });
  }

  #take(number: number, use: () => void): void {
    if (number <= this.#shown) return;
    this.#shown = number;
    use();
  }
}
