/**
 * Looks after the jobs of a queue: fills the queue, ends jobs whose parts are all made or failed, and restores what
 * Redis has lost. Every process has a keeper; only one of them works at a time.
 */

import { randomUUID } from 'node:crypto';
import { GRAPH_FORMAT } from '../registry/graph-format.js';
import { type Job, partCount } from './job.js';
import type { JobCache } from './job-cache.js';
import { type JobFiles, type JobPlace, partsMade } from './job-files.js';
import { readProgress, writeProgress } from './local-job.js';
import { manifestOf, writeManifest } from './manifest.js';
import type { OpenJobStates, OpenState } from './open-job-states.js';
import type { PartQueue } from './part-queue.js';
import { endOf, isEnded, type JobProgress, type JobState } from './status.js';

/** Pause between two rounds, milliseconds. */
const CHECK_MS = 1000;

/** When a keeper has not renewed its lock for this time, another one takes over, milliseconds. */
const HOLD_MS = 15_000;

/** Pause between two searches for jobs that have not ended but are not open, milliseconds. */
const SEARCH_MS = 60_000;

/** Parts that are added to the queue at once, and most parts of a job that are in it. */
const BATCH = 500;
const IN_QUEUE = 5000;

/** Rounds with an empty queue after which the parts in it count as lost. */
const EMPTY_ROUNDS = 3;

/** The keeper of this process. */
export class Keeper {
  readonly #self = randomUUID();
  #checking: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #searchedAt = Number.NEGATIVE_INFINITY;
  #emptyRounds = 0;

  constructor(
    private readonly place: JobPlace,
    private readonly states: OpenJobStates,
    private readonly queue: PartQueue,
    private readonly cache: JobCache,
    private readonly onError: (error: unknown) => void = () => {},
  ) {}

  open(): void {
    this.#timer = setInterval(() => void this.check(), CHECK_MS).unref();
    void this.check();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#again = false;
    await this.#checking;
    // Otherwise the jobs wait until the lock expires, as they do when Redis cannot be reached.
    await this.states.release(this.#self).catch(() => {});
  }

  /** Redis may have lost everything: the next round searches for jobs. */
  searchSoon(): void {
    this.#searchedAt = Number.NEGATIVE_INFINITY;
    void this.check();
  }

  /** Checks all open jobs now, or once more after a round in progress. Never rejects. */
  check(): Promise<void> {
    if (this.#checking !== undefined) {
      this.#again = true;
      return this.#checking;
    }
    this.#checking = this.#checkOnce()
      .catch(this.onError)
      .finally(() => {
        this.#checking = undefined;
        if (!this.#again) return;
        this.#again = false;
        void this.check();
      });
    return this.#checking;
  }

  /** Ends a job if none of its parts is left to make. Never rejects: the next round tries again. */
  async settle(id: string): Promise<void> {
    await this.#settle(id).catch(this.onError);
  }

  /** Opens a job, whose parts may be partly made; false when it is already open. */
  async begin(job: Job, files: JobFiles): Promise<boolean> {
    const parts = partCount(job);
    return this.states.begin(job.id, parts, await partsMade(files, parts));
  }

  async #checkOnce(): Promise<void> {
    if (!(await this.states.hold(this.#self, HOLD_MS))) return;
    if (performance.now() - this.#searchedAt > SEARCH_MS) {
      await this.#search();
      this.#searchedAt = performance.now();
    }
    let isAnyOpen = false;
    for (const id of await this.states.openIds()) {
      // An error in one job does not hold up the others.
      const isOpen = await this.#endOrFill(id).catch(this.onError);
      isAnyOpen ||= isOpen === true;
    }
    await this.#findLost(isAnyOpen);
  }

  /** Opens the jobs that have not ended but are not open. */
  async #search(): Promise<void> {
    const open = new Set(await this.states.openIds());
    for (const id of await this.place.ids()) {
      if (!open.has(id)) await this.#beginAgain(id).catch(this.onError);
    }
  }

  async #beginAgain(id: string): Promise<void> {
    const files = await this.place.files(id);
    if (isEnded(await readProgress(files))) return;
    const job = await this.cache.get(id);
    // Jobs of graphs that this version of Trestle cannot read are left to the keepers of other versions.
    if (job.graphFormat === GRAPH_FORMAT) await this.begin(job, files);
  }

  /**
   * Ends the job if no part is left to make, otherwise adds parts to the queue. Returns whether the job is still open.
   */
  async #endOrFill(id: string): Promise<boolean> {
    const state = await this.#settle(id);
    if (state === undefined) return false;
    await this.#fill(await this.cache.get(id), state);
    return true;
  }

  /**
   * Ends a job if no part is left to make; otherwise returns its state. Two processes may do this at once, because they
   * write the same files.
   */
  async #settle(id: string): Promise<OpenState | undefined> {
    const state = await this.states.state(id);
    if (state === undefined) return undefined;
    const job = await this.cache.get(id);
    const end = endOf(partCount(job), state.partsDone, state.failures.length, state.isCancelled);
    if (end === undefined) return state;
    await this.#end(job, state, end);
    return undefined;
  }

  /** Adds parts of a job to the queue, enough that workers never wait for them. */
  async #fill(job: Job, { fed, partsDone, failures }: OpenState): Promise<void> {
    const parts = partCount(job);
    const ended = partsDone + failures.length;
    const until = Math.min(parts, Math.max(fed, ended) + IN_QUEUE);
    if (fed >= parts || fed - ended >= IN_QUEUE - BATCH) return;
    const done = await this.states.doneParts(job.id);
    const failed = await this.states.failedParts(job.id);
    for (let from = fed; from < until; from += BATCH) {
      const end = Math.min(from + BATCH, until);
      const batch: number[] = [];
      for (let part = from; part < end; part += 1) if (!done.has(part) && !failed.has(part)) batch.push(part);
      await this.queue.add(job.id, batch, job.priority);
      await this.states.setFed(job.id, end);
      await this.states.hold(this.#self, HOLD_MS);
    }
  }

  /** Fills the queue again when it stays empty although parts are missing. */
  async #findLost(isAnyOpen: boolean): Promise<void> {
    this.#emptyRounds = isAnyOpen && (await this.queue.size()) === 0 ? this.#emptyRounds + 1 : 0;
    if (this.#emptyRounds < EMPTY_ROUNDS) return;
    this.#emptyRounds = 0;
    for (const id of await this.states.openIds()) await this.states.setFed(id, 0);
  }

  async #end(job: Job, state: OpenState, end: JobState): Promise<void> {
    const files = await this.place.files(job.id);
    const done = await this.states.doneParts(job.id);
    // Another process has already ended the job.
    if (done.size < state.partsDone) return;
    await files.tidy('all');
    await writeManifest(files, manifestOf(job, end, done, state.failures));
    const { started, partsBefore, failures } = state;
    const ended = new Date().toISOString();
    const progress: JobProgress = { state: end, partsDone: done.size, partsBefore, failures, started, ended };
    await writeProgress(files, progress);
    await this.states.end(job.id, started);
  }
}
