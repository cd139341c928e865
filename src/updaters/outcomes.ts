/** Keeps the status of an updater: successes, failures, and when its last data becomes too old. */

import type { Logger } from 'pino';
import { freshStatus, type UpdaterStatus } from './updater.js';

/** The result of a run. */
export interface Outcome {
  /** Counts of the data, by name. */
  readonly counts: Readonly<Record<string, number>>;
  /** When the source made it, epoch milliseconds. */
  readonly dataTimestamp?: number | undefined;
}

/** The name of an updater in the log, and what to do when its source fails for long. */
export interface StaleRule {
  readonly description: string;
  /** After this many seconds of failures the last data is dropped; 0: never. */
  readonly staleAfterSec: number;
  /** Drops the data of the last run. */
  drop(): Promise<void> | void;
}

/** The outcomes of one updater's runs. */
export class Outcomes {
  readonly status: UpdaterStatus = freshStatus();
  /** Failures since the last success. */
  failuresInARow = 0;
  /** When data last arrived, by a monotonic clock; undefined before the first time and after the data was dropped. */
  #broughtAt: number | undefined;

  constructor(
    private readonly rule: StaleRule,
    private readonly logger: Logger,
  ) {}

  /**
   * A run succeeded; `outcome` is undefined when the data is unchanged. `warning` says what was missing, and is logged
   * if it is new.
   */
  succeeded(outcome: Outcome | undefined, warning?: string): void {
    const { status } = this;
    if (warning !== undefined && warning !== status.warning) {
      this.logger.warn({ updater: this.rule.description, reason: warning }, 'update incomplete');
    }
    if (warning === undefined) delete status.warning;
    else status.warning = warning;
    if (outcome !== undefined) {
      status.counts = outcome.counts;
      if (outcome.dataTimestamp === undefined) delete status.dataTimestamp;
      else status.dataTimestamp = outcome.dataTimestamp;
    }
    status.lastSuccess = Date.now();
    status.stale = false;
    delete status.lastError;
    this.failuresInARow = 0;
    this.#broughtAt = performance.now();
  }

  /**
   * The last data stays in use until it is stale. The first of several failures in a row is logged as a warning, the
   * others as debug messages.
   */
  async failed(message: string): Promise<void> {
    const { status } = this;
    status.failures += 1;
    status.lastError = { at: Date.now(), message };
    const level = this.failuresInARow === 0 ? 'warn' : 'debug';
    this.failuresInARow += 1;
    this.logger[level]({ updater: this.rule.description, reason: message }, 'update failed');
    await this.#dropStale();
  }

  async #dropStale(): Promise<void> {
    const { description, staleAfterSec } = this.rule;
    if (staleAfterSec <= 0 || this.#broughtAt === undefined) return;
    if (performance.now() - this.#broughtAt < staleAfterSec * 1000) return;
    this.#broughtAt = undefined;
    try {
      await this.rule.drop();
      this.logger.warn({ updater: description, seconds: staleAfterSec }, 'old data dropped');
    } catch (error) {
      this.logger.error({ updater: description, err: error }, 'old data could not be dropped');
    }
    // Only now, so that the status becomes stale when answers have stopped using the data.
    this.status.stale = true;
    this.status.counts = {};
  }
}
