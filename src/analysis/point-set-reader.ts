/** Reads large point sets in threads, one after the other, to limit memory without blocking the server. */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Queue } from '../queues.js';
import { type PointSet, PointSetError, PointSetTooLargeError } from './point-set.js';

/** The result of the thread. */
export type ReadOutcome =
  | { readonly set: PointSet }
  | { readonly problem: string; readonly tooLarge: boolean }
  | { readonly failure: Error };

/** Megabytes for the objects of a set while it is read; the largest set needs about half of it. */
const THREAD_MEGABYTES = 2048;

const reads = new Queue();

/** Reads a set after those requested earlier. Throws `PointSetError` when the file is not a point set. */
export function readInThread(file: string): Promise<PointSet> {
  return reads.take(() => readNow(file));
}

async function readNow(file: string): Promise<PointSet> {
  const thread = new Worker(new URL('./point-set-thread.js', import.meta.url), {
    workerData: file,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEGABYTES },
  });
  try {
    const [outcome] = (await once(thread, 'message')) as [ReadOutcome];
    if ('set' in outcome) return outcome.set;
    if ('failure' in outcome) throw outcome.failure;
    throw outcome.tooLarge ? new PointSetTooLargeError(outcome.problem) : new PointSetError(outcome.problem);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw new PointSetTooLargeError(`reading it takes more than ${THREAD_MEGABYTES} MiB of memory`);
  } finally {
    await thread.terminate();
  }
}
