/** One search of a tool at a time: a new one stops the previous one. */

import { byId } from '../dom.js';

/** Runs a tool's searches and shows their outcome. */
export class SearchRun {
  private running = new AbortController();

  /** Stops the running search; its result is not shown. */
  stop(): void {
    this.running.abort();
  }

  /** @param search its result is a text for the user; a rejection is shown too. */
  async run(search: (signal: AbortSignal) => Promise<string>): Promise<void> {
    this.stop();
    const own = new AbortController();
    this.running = own;
    tell('Searching …');
    try {
      const text = await search(own.signal);
      if (!own.signal.aborted) tell(text);
    } catch (error) {
      if (!own.signal.aborted) tell(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Shows a line of text below the tools; screen readers read it out. */
export function tell(text: string): void {
  byId('status').textContent = text;
}
