/** Removes jobs that ended long ago, with their results. */

import type { Jobs } from './jobs.js';

/** Which jobs are removed, and when they are looked for. */
export interface ExpiryOptions {
  /** Jobs that ended longer ago are removed with their results, milliseconds; absent: never. */
  readonly keepMs?: number;
  /** Pause between two looks, milliseconds; by default six hours. */
  readonly lookMs?: number;
  readonly onError?: (error: unknown) => void;
}

/** People count the days that jobs are kept, and each look reads all jobs. */
const LOOK_MS = 6 * 3_600_000;

/** Looks for old jobs at startup and again and again, because a server may run for months without a new job. */
export class Expiry {
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    private readonly jobs: Jobs,
    private readonly options: ExpiryOptions,
  ) {}

  /** Resolves after the first look; never rejects, because a server can work while old jobs remain. */
  async open(): Promise<void> {
    const { keepMs, lookMs = LOOK_MS } = this.options;
    if (keepMs === undefined) return;
    const look = () => this.#removeOld(keepMs).catch((error) => this.#report(error));
    this.#timer ??= setInterval(look, lookMs).unref();
    await look();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  async #removeOld(keepMs: number): Promise<void> {
    for (const { job, progress } of await this.jobs.list()) {
      if (this.#isClosed) return;
      if (progress.ended === undefined || Date.parse(progress.ended) >= Date.now() - keepMs) continue;
      // One that cannot be removed does not keep the others.
      await this.jobs.remove(job.id).catch((error) => this.#report(error));
    }
  }

  /** Once it is closed, what it needs may be closed too. */
  #report(error: unknown): void {
    if (!this.#isClosed) this.options.onError?.(error);
  }
}
