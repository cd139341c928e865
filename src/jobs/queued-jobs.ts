/** Jobs that the workers of a queue compute. */

import type { RedisPlace } from '../sharing/redis-connection.js';
import { Expiry, type ExpiryOptions } from './expiry.js';
import { LIMITS } from './job.js';
import { JobCache } from './job-cache.js';
import { FILES, type JobFiles, type JobPlace } from './job-files.js';
import { type Jobs, type NewJob, TooManyJobs } from './jobs.js';
import { Keeper } from './keeper.js';
import { readProgress, writeProgress } from './local-job.js';
import { OpenJobStates } from './open-job-states.js';
import { PartQueue } from './part-queue.js';
import { isEnded, type JobProgress, type JobStatus, NOT_BEGUN, statusOf } from './status.js';
import { findStatus, isResumable, latestFirst, removeEnded, writeJob } from './stored-jobs.js';

export interface QueuedJobsOptions extends ExpiryOptions {
  readonly place: JobPlace;
  readonly redis: RedisPlace;
}

export class QueuedJobs implements Jobs {
  readonly states: OpenJobStates;
  readonly cache: JobCache;
  readonly #queue: PartQueue;
  readonly #keeper: Keeper;
  readonly #expiry: Expiry;

  constructor(private readonly options: QueuedJobsOptions) {
    const { place, redis, onError } = options;
    this.states = new OpenJobStates(redis, () => this.#keeper.searchSoon());
    this.#queue = new PartQueue(redis);
    this.cache = new JobCache(place);
    this.#keeper = new Keeper(place, this.states, this.#queue, this.cache, onError);
    this.#expiry = new Expiry(this, options);
  }

  async open(): Promise<void> {
    await this.states.open();
    await this.#queue.open(this.states.redis);
    this.#keeper.open();
    // The store may take long to answer.
    void this.#expiry.open();
  }

  /** Ends a job at once if its last part has been made. */
  settle(id: string): Promise<void> {
    return this.#keeper.settle(id);
  }

  async submit(made: NewJob): Promise<JobStatus> {
    const { job } = made;
    const open = await this.states.openIds();
    if (open.length >= LIMITS.unfinished) throw new TooManyJobs();
    const files = await writeJob(this.options.place, made);
    await this.#keeper.begin(job, files);
    void this.#keeper.check();
    return statusOf(job, await this.#progress(job.id, files), files.address, Date.now());
  }

  async list(): Promise<JobStatus[]> {
    return latestFirst(await this.options.place.ids(), (id) => this.get(id), this.options.onError);
  }

  get(id: string): Promise<JobStatus | undefined> {
    return findStatus(this.options.place, id, (files) => this.#progress(id, files));
  }

  async cancel(id: string): Promise<boolean> {
    if (!(await this.states.isOpen(id))) return this.#cancelUnknown(id);
    await this.states.cancel(id);
    await this.#keeper.settle(id);
    return true;
  }

  /** Cancels a job that is not open, such as one of another version of Trestle. */
  async #cancelUnknown(id: string): Promise<boolean> {
    const status = await this.get(id);
    if (status === undefined || isEnded(status.progress)) return false;
    const files = await this.options.place.files(id);
    await writeProgress(files, { ...status.progress, state: 'cancelled', ended: new Date().toISOString() });
    return true;
  }

  async resume(id: string): Promise<boolean> {
    const status = await this.get(id);
    if (!isResumable(status)) return false;
    const files = await this.options.place.files(id);
    await files.remove(FILES.manifest);
    await writeProgress(files, NOT_BEGUN);
    await this.#keeper.begin(status.job, files);
    void this.#keeper.check();
    return true;
  }

  remove(id: string): Promise<boolean> {
    return removeEnded(this, this.options.place, id);
  }

  async partsLeft(): Promise<number> {
    const states = await Promise.all((await this.states.openIds()).map((id) => this.states.state(id)));
    return states.reduce((sum, state) => sum + (state?.partsLeft ?? 0), 0);
  }

  async close(): Promise<void> {
    this.#expiry.close();
    await this.#keeper.close();
    await this.#queue.close();
    this.states.close();
  }

  /** The progress of an open job, or the progress that was written at its end. */
  async #progress(id: string, files: JobFiles): Promise<JobProgress> {
    const open = await this.states.state(id);
    if (open === undefined) return readProgress(files);
    const { started, partsDone, partsBefore, failures } = open;
    const state = partsDone + failures.length > partsBefore ? 'running' : 'waiting';
    return { state, partsDone, partsBefore, failures, started };
  }
}
