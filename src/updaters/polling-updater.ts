/**
 * Runs a task again and again: at its interval while it succeeds, less and less often while it fails. Its last data
 * stays in use until it is stale.
 */

import type { Logger } from 'pino';
import { pauseAfter } from '../pauses.js';
import { type Outcome, Outcomes, type StaleRule } from './outcomes.js';
import type { Updater, UpdaterStatus } from './updater.js';

/** Longest pause after failures. */
const LONGEST_PAUSE_MS = 10 * 60_000;

/** A task that is run again and again. */
export interface PollingTask extends StaleRule {
  readonly className: string;
  /** One run; undefined when the data is unchanged. */
  run(signal: AbortSignal): Promise<Outcome | undefined>;
  /** What was missing in the last run that succeeded. */
  warning?(): string | undefined;
  /** The data of the last run is dropped, so the next run needs it even if the source has not changed. */
  forget(): void;
}

/** An updater that asks its source. */
export class PollingUpdater implements Updater {
  readonly #outcomes: Outcomes;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly type: string,
    private readonly task: PollingTask,
    /** Pause after each run, seconds; zero or less: a single run. */
    private readonly frequencySec: number,
    logger: Logger,
  ) {
    const drop = () => {
      task.forget();
      return task.drop();
    };
    this.#outcomes = new Outcomes({ ...task, drop }, logger);
  }

  get status(): UpdaterStatus {
    return this.#outcomes.status;
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
    this.status.runs += 1;
    try {
      const outcome = await this.task.run(this.#stopped.signal);
      this.#outcomes.succeeded(outcome, this.task.warning?.());
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      await this.#outcomes.failed((error as Error).message);
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.frequencySec <= 0 || this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(
      () => void this.#run(),
      nextPause(this.frequencySec * 1000, this.#outcomes.failuresInARow),
    );
    this.#timer.unref();
  }
}

/** The pause before the next run: the interval, unless the last runs have failed. */
export function nextPause(frequencyMs: number, failures: number): number {
  if (failures === 0) return frequencyMs;
  return pauseAfter(failures, frequencyMs, Math.max(frequencyMs, LONGEST_PAUSE_MS));
}
