/**
 * Turns of the event loop for long work. In each turn, one piece of work is done for all users together, so that other
 * requests never wait for more than one piece.
 */

/** Work that has begun is finished first: no other work begins while this many pieces are in progress. */
const MOST_BEGUN = 16;

type Resume = () => void;

const goingOn: Resume[] = [];
const beginning: Resume[] = [];
let scheduled = false;
let mayBegin = false;

/** Resolves when the caller may do its next piece of work, some milliseconds long, before it asks for the next turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    goingOn.push(resolve);
    schedule();
  });
}

/**
 * Resolves with true when the caller may do its first piece of work; with false when that took longer than `longestMs`,
 * or `signal` fired before.
 */
export function firstTurn(longestMs: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (begins: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(begins);
    };
    const begin = () => settle(true);
    const giveUp = () => {
      beginning.splice(beginning.indexOf(begin), 1);
      settle(false);
    };
    const timer = setTimeout(giveUp, longestMs);
    signal.addEventListener('abort', giveUp, { once: true });
    beginning.push(begin);
    schedule();
  });
}

/** Milliseconds that long work takes between two pauses. */
const WORK_MS = 0.5;

/** The pauses of one piece of long work, in which others do theirs. */
export class Pauses {
  #started = performance.now();

  /** Waits for the next turn, unless the present one began a moment ago. */
  async takeIfDue(): Promise<void> {
    if (performance.now() - this.#started < WORK_MS) return;
    await nextTurn();
    this.#started = performance.now();
  }
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(give);
}

function give(): void {
  scheduled = false;
  // Alternates between new work and work that has begun, so that neither keeps the other waiting.
  mayBegin = !mayBegin || goingOn.length === 0;
  const begins = mayBegin && goingOn.length < MOST_BEGUN ? beginning.shift() : undefined;
  (begins ?? goingOn.shift())?.();
  if (goingOn.length + beginning.length > 0) schedule();
}
