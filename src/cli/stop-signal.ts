/** SIGTERM and SIGINT: a server that is ready finishes the requests it has, one that is starting ends at once. */

import type { Logger } from 'pino';

/** Listens from its creation on. The first process of a container does not end on a signal without a listener. */
export class StopSignal {
  readonly #requested: Promise<void>;
  #isReady = false;

  constructor(private readonly logger: Logger) {
    this.#requested = new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.once(signal, () => {
          resolve();
          if (!this.#isReady) this.#endNow(signal);
        });
      }
    });
  }

  /** From now on the caller ends the server. Resolves when it has to. */
  wait(): Promise<void> {
    this.#isReady = true;
    return this.#requested;
  }

  /** What is half done, like a build, is in files that the next start removes. */
  #endNow(signal: string): void {
    this.logger.info({ signal }, 'stopped before the server was ready');
    // The log has a moment to write this line.
    setImmediate(() => process.exit(0));
  }
}
