/** The progress of jobs. */

import { type Job, partCount, partOf } from './job.js';

/** Longest message of a failure that is kept, characters. */
const LONGEST_MESSAGE = 500;

/** After this many failed parts, no others are tried. */
export const MOST_FAILURES = 10;

export type JobState = 'waiting' | 'running' | 'complete' | 'failed' | 'cancelled';

/** Origins without a result, and why. */
export interface JobFailure {
  readonly part: number;
  readonly firstOrigin: number;
  readonly origins: number;
  readonly message: string;
}

/** A process that computes a job. */
interface JobOwner {
  readonly host: string;
  readonly process: number;
  /** Where its number means this process. */
  readonly place: string;
  /** How often it has written the progress: another number shows that it still runs. */
  readonly heartbeat: number;
}

/** The progress of a job, as in `status.json`. Times are ISO 8601. */
export interface JobProgress {
  readonly state: JobState;
  readonly partsDone: number;
  readonly failures: readonly JobFailure[];
  readonly started?: string;
  readonly ended?: string;
  /** Parts that were made before this run began: they do not count for its speed. */
  readonly partsBefore: number;
  /** The process that computes the job, where there is no queue. */
  readonly owner?: JobOwner;
}

export const NOT_BEGUN: JobProgress = { state: 'waiting', partsDone: 0, partsBefore: 0, failures: [] };

/** A job with its progress, and figures that are computed from both. */
export interface JobStatus {
  readonly job: Job;
  readonly progress: JobProgress;
  /** Where its files are. */
  readonly address: string;
  readonly parts: number;
  readonly originsDone: number;
  /** Absent until the first part of a run is done. */
  readonly originsPerSecond?: number;
  readonly remainingSeconds?: number;
}

/** Whether the job has ended, for good or until somebody resumes it. */
export function isEnded({ state }: Pick<JobProgress, 'state'>): boolean {
  return state === 'complete' || state === 'failed' || state === 'cancelled';
}

/** How a job ends that has this many parts, made and failed ones; undefined while others are left to make. */
export function endOf(parts: number, made: number, failed: number, isCancelled: boolean): JobState | undefined {
  if (made === parts) return 'complete';
  if (isCancelled) return 'cancelled';
  return failed >= MOST_FAILURES || made + failed === parts ? 'failed' : undefined;
}

/** The status at a moment, epoch milliseconds. */
export function statusOf(job: Job, progress: JobProgress, address: string, nowMs: number): JobStatus {
  const parts = partCount(job);
  const originsOf = (done: number) => Math.min(job.origins, done * job.partOrigins);
  const originsDone = originsOf(progress.partsDone);
  const base = { job, progress, address, parts, originsDone };
  if (progress.started === undefined) return base;
  const until = progress.ended === undefined ? nowMs : Date.parse(progress.ended);
  const seconds = Math.max(0.001, (until - Date.parse(progress.started)) / 1000);
  const made = originsDone - originsOf(progress.partsBefore);
  if (made <= 0) return base;
  const originsPerSecond = made / seconds;
  if (isEnded(progress)) return { ...base, originsPerSecond };
  return { ...base, originsPerSecond, remainingSeconds: (job.origins - originsDone) / originsPerSecond };
}

export function failureOf(job: Job, part: number, error: unknown): JobFailure {
  const { firstOrigin, origins } = partOf(job, part);
  const message = error instanceof Error ? error.message.trim() : String(error);
  return { part, firstOrigin, origins, message: message.slice(0, LONGEST_MESSAGE) };
}
