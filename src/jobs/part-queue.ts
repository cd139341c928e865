/** The queue of parts in Redis. It may hand out a part twice; a job counts each part once. */

import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { GRAPH_FORMAT } from '../registry/graph-format.js';
import type { RedisPlace } from '../sharing/redis-connection.js';
import { HIGHEST_PRIORITY, JOB_VERSION } from './job.js';
import { TRIES } from './local-job.js';

/** A part as the queue holds it. */
export interface QueuedPart {
  readonly job: string;
  readonly part: number;
}

/**
 * Name of the queue, and the first part of all keys about jobs. Versions of Trestle with other formats of jobs or
 * graphs have separate queues, so that none takes parts which it cannot make.
 */
export const QUEUE = 'parts';
export const queuePrefix = ({ prefix }: RedisPlace) => `${prefix}:jobs:${JOB_VERSION}.${GRAPH_FORMAT}`;

/** Pause before a part that failed is tried again, milliseconds; it doubles. */
const RETRY_MS = 1000;

/** Puts parts into the queue. */
export class PartQueue {
  #queue: Queue<QueuedPart> | undefined;

  constructor(private readonly place: RedisPlace) {}

  async open(redis: Redis): Promise<void> {
    const { Queue } = await import('bullmq');
    this.#queue = new Queue<QueuedPart>(QUEUE, { connection: redis, prefix: queuePrefix(this.place) });
    this.#queue.on('error', () => {});
  }

  /** Adds parts; those that are already in the queue stay where they are. */
  async add(job: string, parts: readonly number[], priority: number): Promise<void> {
    await this.#queue?.addBulk(
      parts.map((part) => ({
        name: job,
        data: { job, part },
        opts: {
          jobId: `${job}_${part}`,
          // In the queue the lowest number comes first, and 0 means no priority.
          priority: HIGHEST_PRIORITY + 1 - priority,
          attempts: TRIES,
          backoff: { type: 'exponential', delay: RETRY_MS },
          removeOnComplete: true,
          removeOnFail: true,
        },
      })),
    );
  }

  /** Number of parts that wait, are being made, or are to be tried again. */
  async size(): Promise<number> {
    const counts = (await this.#queue?.getJobCounts('wait', 'active', 'delayed', 'prioritized')) ?? {};
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  async close(): Promise<void> {
    await this.#queue?.close().catch(() => {});
  }
}
