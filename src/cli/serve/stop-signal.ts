/**
 * SIGTERM, SIGINT and the loss of the supervisor: a server that is ready finishes its requests, one that is still starting
 * ends at once.
 */

import type { Logger } from 'pino';

/** Listens as soon as it is made, because the first process of a container ignores signals without a listener. */
export class StopSignal {
  readonly #requested: Promise<void>;
  #request: () => void = () => {};
  #isReady = false;

  constructor(private readonly logger: Logger) {
    this.#requested = new Promise((resolve) => {
      this.#request = resolve;
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => this.send(signal));
  }

  /** Stops the server as a signal does. */
  send(signal: string): void {
    this.#request();
    if (!this.#isReady) this.#endNow(signal);
  }

  /** From now on the caller stops the server. Resolves when it must do so. */
  wait(): Promise<void> {
    this.#isReady = true;
    return this.#requested;
  }

  /** Unfinished work, like a build, is in files that the next start removes. */
  #endNow(signal: string): void {
    this.logger.info({ signal }, 'stopped before the server was ready');
    // Leaves a moment for writing this line to the log.
    setImmediate(() => process.exit(0));
  }
}
