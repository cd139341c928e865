/** Pauses of long work in the thread of the program. */

import { nextTurn } from '../turns.js';

/** Milliseconds after which the program does other work. */
const TURN_MS = 0.5;

/** Lets the program do other work once this work has taken a while. */
export class Pauses {
  #started = performance.now();

  async takeIfDue(): Promise<void> {
    if (performance.now() - this.#started < TURN_MS) return;
    await nextTurn();
    this.#started = performance.now();
  }
}
