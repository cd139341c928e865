/** Requests about jobs, whose senders do not wait as long for a store as workers do. */

import { randomUUID } from 'node:crypto';
import { storeUnusable } from '../http-error.js';
import { within } from '../within.js';
import type { Jobs } from './jobs.js';
import type { JobStatus } from './status.js';

/** Longest wait for the first answer of the store, milliseconds. Its client tries for minutes, for the sake of workers. */
const STORE_WAIT_MS = 5000;

/** A job. Rejects soon if the store of jobs does not answer. */
export async function readSoon(jobs: Jobs, id: string): Promise<JobStatus | undefined> {
  const found = await within(
    jobs.get(id).then((status) => ({ status })),
    STORE_WAIT_MS,
  );
  if (found === undefined) throw storeUnusable();
  return found.status;
}

/** Rejects soon if the store of jobs does not answer; for work on it that may take long. */
export async function requireStore(jobs: Jobs): Promise<void> {
  await readSoon(jobs, randomUUID());
}
