/** Reads, writes and lists stored jobs. */

import { HttpError } from '../http-error.js';
import { type Job, readJob } from './job.js';
import { FILES, type JobFiles, type JobPlace } from './job-files.js';
import type { Jobs, NewJob } from './jobs.js';
import { isEnded, type JobProgress, type JobStatus, statusOf } from './status.js';

/** Jobs that are read at the same time: there may be more of them than a process may open files. */
const READ_AT_ONCE = 32;

/** The jobs with these ids, apart from those that cannot be read. */
export async function latestFirst(
  ids: readonly string[],
  get: (id: string) => Promise<JobStatus | undefined>,
  onError: (error: unknown) => void = () => {},
): Promise<JobStatus[]> {
  const readable = (id: string) =>
    get(id).catch((error) => {
      if (error instanceof HttpError) throw error;
      onError(error);
    });
  const found: JobStatus[] = [];
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const some = await Promise.all(ids.slice(at, at + READ_AT_ONCE).map(readable));
    found.push(...some.filter((status) => status !== undefined));
  }
  return found.sort((a, b) => (a.job.created < b.job.created ? 1 : -1));
}

/** The status of a job; undefined when there is none. */
export async function findStatus(
  place: JobPlace,
  id: string,
  progressOf: (files: JobFiles) => Promise<JobProgress>,
): Promise<JobStatus | undefined> {
  const files = await place.files(id);
  const job = await findJob(files, id);
  return job && statusOf(job, await progressOf(files), files.address, Date.now());
}

/** Whether a job can be resumed. */
export function isResumable(status: JobStatus | undefined): status is JobStatus {
  const state = status?.progress.state;
  return state === 'failed' || state === 'cancelled';
}

/** Removes a job that has ended, with its result. False when it has not ended. */
export async function removeEnded(jobs: Jobs, place: JobPlace, id: string): Promise<boolean> {
  const status = await jobs.get(id);
  if (status === undefined || !isEnded(status.progress)) return false;
  await place.remove(id);
  return true;
}

/**
 * Writes the files of a new job, `job.json` last, because that file makes it a job. If one of them cannot be written,
 * all are removed.
 */
export async function writeJob(place: JobPlace, { job, origins, destinations }: NewJob): Promise<JobFiles> {
  const files = await place.files(job.id);
  try {
    await files.write(FILES.origins, origins);
    if (destinations !== undefined) await files.write(FILES.destinations, destinations);
    await files.write(FILES.job, `${JSON.stringify(job, null, 1)}\n`);
    return files;
  } catch (error) {
    await place.remove(job.id).catch(() => {});
    throw error;
  }
}

/** The job in these files; undefined if there is none. With `id`, the job must have that id. */
async function findJob(files: JobFiles, id?: string): Promise<Job | undefined> {
  const text = await files.readText(FILES.job);
  return text === undefined ? undefined : readJob(text, `${files.address}/${FILES.job}`, id);
}

/** The same; rejects when there is none. */
export async function jobOf(files: JobFiles, id?: string): Promise<Job> {
  const job = await findJob(files, id);
  if (job === undefined) throw new Error(`${files.address} holds no job`);
  return job;
}
