/** The jobs of a server or of a command: one interface, with and without a queue. */

import { type Job, LIMITS } from './job.js';
import type { JobStatus } from './status.js';

/** A job that is to be computed, with the texts of its files. */
export interface NewJob {
  readonly job: Job;
  /** CSV with the columns `id`, `lat` and `lon`. */
  readonly origins: string;
  /** The same with a column for each kind of opportunity. */
  readonly destinations?: string;
}

/** Too many jobs wait or run. */
export class TooManyJobs extends Error {
  constructor() {
    super(`more than ${LIMITS.unfinished} jobs are not finished`);
  }
}

/** Computes jobs, here or elsewhere. */
export interface Jobs {
  /** Starts this process's work on jobs; with `takesOver`, it also computes jobs that no process computes any more. */
  open(takesOver: boolean): Promise<void>;
  /** Writes a job to its files and starts it. Rejects with `TooManyJobs`. */
  submit(made: NewJob): Promise<JobStatus>;
  /** All jobs, the latest first. */
  list(): Promise<JobStatus[]>;
  get(id: string): Promise<JobStatus | undefined>;
  /** Ends a job that is not finished; the parts that are made stay. False when it has already ended. */
  cancel(id: string): Promise<boolean>;
  /** Resumes a job that failed or was cancelled. False when there is nothing to resume. */
  resume(id: string): Promise<boolean>;
  /** Removes a job that has ended, with its result. False when it has not ended. */
  remove(id: string): Promise<boolean>;
  /** Parts of all jobs that are neither made nor failed. */
  partsLeft(): Promise<number>;
  /** Stops computing; jobs continue when they are opened again. */
  close(): Promise<void>;
}
