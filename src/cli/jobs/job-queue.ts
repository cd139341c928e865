/** The queue of jobs for the commands. */

import { setTimeout as pause } from 'node:timers/promises';
import { resolveServerConfig } from '../../config/server-config.js';
import type { ServerConfig } from '../../config/server-settings.js';
import { HttpError } from '../../http-error.js';
import { jobPlace } from '../../jobs/job-place.js';
import { type NewJob, TooManyJobs } from '../../jobs/jobs.js';
import { QueuedJobs } from '../../jobs/queued-jobs.js';
import { isEnded, type JobStatus } from '../../jobs/status.js';
import { presentJob } from '../../serialization/job.js';
import { CommandFailure, EXIT } from '../failure.js';
import { progressDisplay } from '../progress.js';
import { reportJob, statusLine } from './job-text.js';

/** Where the queue is; the environment variables of the settings count too. */
export interface QueueArguments {
  readonly redis?: string;
  readonly redisPrefix?: string;
  readonly jobs?: string;
  readonly s3Endpoint?: string;
}

/** Pause between two checks of a job, milliseconds. */
const LOOK_MS = 1000;

function settingsOf({ redis, redisPrefix, jobs, s3Endpoint }: QueueArguments): ServerConfig {
  const flags = { redis, redisPrefix, jobs, s3Endpoint };
  return resolveServerConfig({ flags, environment: process.env, basePath: '.' }).config;
}

/** Whether the options or the environment say where a queue is. */
export function knowsQueue(args: QueueArguments): boolean {
  return settingsOf(args).redis !== undefined;
}

/** The place of the jobs and that of the queue. */
export function requiredQueue({ redis: url, redisPrefix: prefix, jobs, s3Endpoint }: ServerConfig) {
  if (url === undefined) throw new CommandFailure('--redis: the address of the queue is required', EXIT.usage);
  if (jobs === undefined) throw new CommandFailure('--jobs: the place of the jobs is required', EXIT.usage);
  return { place: jobPlace(jobs, s3Endpoint), redis: { url, prefix } };
}

async function withQueue<T>(args: QueueArguments, work: (queue: QueuedJobs) => Promise<T>): Promise<T> {
  const queue = new QueuedJobs(requiredQueue(settingsOf(args)));
  try {
    await queue.open();
    return await work(queue);
  } catch (error) {
    if (error instanceof HttpError || error instanceof TooManyJobs) throw new CommandFailure(error.message.trimEnd());
    throw error;
  } finally {
    await queue.close();
  }
}

/** Puts a job into the queue, and unless `detach` waits for its end. */
export async function submitToQueue(made: NewJob, args: QueueArguments, detach: boolean): Promise<void> {
  const last = await withQueue(args, async (queue) => {
    const status = await queue.submit(made);
    if (detach) return status;
    console.error(`job ${made.job.id}: interrupting this command does not end it`);
    return follow(queue, made.job.id, status);
  });
  if (detach) console.log(made.job.id);
  else reportJob(last);
}

async function follow(queue: QueuedJobs, id: string, first: JobStatus): Promise<JobStatus> {
  const display = await progressDisplay();
  try {
    for (let status = first; ; status = (await queue.get(id).catch(ignoreAbsence)) ?? status) {
      display.listener(status.job.task.kind, status.originsDone / status.job.origins);
      if (isEnded(status.progress)) return status;
      await pause(LOOK_MS);
    }
  } finally {
    display.stop();
  }
}

/** Ignores the error of a queue that cannot be reached, because the job continues without it. */
function ignoreAbsence(error: unknown): undefined {
  if (!(error instanceof HttpError)) throw error;
}

export async function listJobs(args: QueueArguments, asJson: boolean): Promise<void> {
  const jobs = await withQueue(args, (queue) => queue.list());
  if (asJson) return console.log(JSON.stringify(jobs.map(presentJob), null, 1));
  for (const status of jobs) console.log(`${status.job.id}  ${statusLine(status)}`);
}

/** Changes of a job of the queue. */
export type JobAction = 'cancel' | 'resume' | 'remove';

const REFUSALS: Readonly<Record<JobAction, string>> = {
  cancel: 'is not running or waiting',
  resume: 'has neither failed nor been cancelled',
  remove: 'has not ended',
};

export async function changeJob(action: JobAction, id: string, args: QueueArguments): Promise<void> {
  const isDone = await withQueue(args, (queue) => queue[action](id));
  if (!isDone) throw new CommandFailure(`job ${id} ${REFUSALS[action]}, or there is none`, EXIT.failed);
}

export async function queuedJob(id: string, args: QueueArguments): Promise<JobStatus> {
  const status = await withQueue(args, (queue) => queue.get(id));
  if (status === undefined) throw new CommandFailure(`there is no job ${id}`, EXIT.failed);
  return status;
}
