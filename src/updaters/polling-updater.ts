/** Runs a task again and again: at its pace while it goes well, less and less often while it fails. */

import type { Logger } from 'pino';
import { freshStatus, type Updater, type UpdaterStatus } from './updater.js';

/** Longest pause after failures. */
const LONGEST_PAUSE_MS = 10 * 60_000;

/** What is run, and how often. */
export interface PollingTask {
  readonly type: string;
  readonly description: string;
  readonly className: string;
  /** Pause after each run, seconds; zero or less: a single run. */
  readonly frequencySec: number;
  /** One run; returns what the data held, or undefined when it is unchanged. */
  run(signal: AbortSignal): Promise<Readonly<Record<string, number>> | undefined>;
}

/** An updater that asks its source. */
export class PollingUpdater implements Updater {
  readonly status: UpdaterStatus = freshStatus();
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #failuresInARow = 0;

  constructor(
    private readonly task: PollingTask,
    private readonly logger: Logger,
  ) {}

  get type(): string {
    return this.task.type;
  }

  get description(): string {
    return this.task.description;
  }

  get className(): string {
    return this.task.className;
  }

  start(): void {
    void this.#run();
  }

  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    const { status } = this;
    status.runs += 1;
    try {
      const counts = await this.task.run(this.#stopped.signal);
      if (counts !== undefined) status.counts = counts;
      status.lastSuccess = Date.now();
      delete status.lastError;
      this.#failuresInARow = 0;
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      this.#fail(error as Error);
    }
    this.#schedule();
  }

  /** The former data stays in use; the first of several failures is a warning, the others are details. */
  #fail(error: Error): void {
    this.status.failures += 1;
    this.status.lastError = { at: Date.now(), message: error.message };
    const level = this.#failuresInARow === 0 ? 'warn' : 'debug';
    this.#failuresInARow += 1;
    this.logger[level]({ updater: this.task.description, reason: error.message }, 'update failed');
  }

  #schedule(): void {
    const { frequencySec } = this.task;
    if (frequencySec <= 0 || this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(() => void this.#run(), pause(frequencySec * 1000, this.#failuresInARow));
    this.#timer.unref();
  }
}

/** Twice as long after each failure, with jitter so that servers do not return all at once. */
export function pause(frequencyMs: number, failures: number, random: () => number = Math.random): number {
  if (failures === 0) return frequencyMs;
  const longest = Math.max(frequencyMs, LONGEST_PAUSE_MS);
  return Math.min(longest, frequencyMs * 2 ** (failures - 1)) * (0.75 + random() / 2);
}
