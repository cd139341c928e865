/** Takes parts from the queue and makes them. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { BusyError } from '../http-error.js';
import { connectRedis, reconnectPause, watchConnection, withoutArguments } from '../sharing/redis-connection.js';
import { presentTracer } from '../tracing/trace.js';
import { within } from '../within.js';
import { partCount } from './job.js';
import { TRIES } from './local-job.js';
import type { OnPart, PartMaker } from './part-maker.js';
import { QUEUE, type QueuedPart, queuePrefix } from './part-queue.js';
import { QueuedJobs, type QueuedJobsOptions } from './queued-jobs.js';
import { failureOf } from './status.js';

interface PartWorkerOptions extends QueuedJobsOptions {
  readonly maker: PartMaker;
  /** Parts that are made at once. */
  readonly parallel: number;
  readonly onPart?: OnPart;
  /** Called when the queue can be reached again. */
  readonly onReconnect?: () => void;
}

/** When a worker has reported nothing for this time, its parts are given to others, milliseconds. */
const LOST_MS = 10_000;

/** Pause between two searches for parts of dead workers, milliseconds. */
const SEARCH_MS = 5000;

/** How often the worker of a part may die before the part counts as failed. */
const MOST_LOSSES = 10;

/** Pause before asking for a part again after Redis could not be reached, milliseconds. */
const RETRY_MS = 1000;

/** Pause between two checks whether the jobs of this worker are still running, milliseconds. */
const LOOK_MS = 1000;

/** A worker of a queue. */
export class PartWorker {
  readonly #jobs: QueuedJobs;
  /** Parts being made, by job. */
  readonly #making = new Map<string, Set<AbortController>>();
  #worker: Worker<QueuedPart> | undefined;
  #redis: Redis | undefined;
  #isClosed = false;
  #looking: NodeJS.Timeout | undefined;

  constructor(private readonly options: PartWorkerOptions) {
    this.#jobs = new QueuedJobs(options);
  }

  /** Begins to take parts. */
  async open(): Promise<void> {
    const { redis: place, parallel, onError } = this.options;
    await this.#jobs.open();
    const { Worker } = await import('bullmq');
    this.#redis = await connectRedis(place.url, {
      maxRetriesPerRequest: null,
      // A worker that has nothing left to report need not wait for Redis before it ends.
      retryStrategy: (tries) => (this.#isClosed && this.running === 0 ? null : reconnectPause(tries)),
    });
    watchConnection(this.#redis, { ready: (again) => again && this.options.onReconnect?.() });
    const worker = new Worker<QueuedPart>(
      QUEUE,
      (queued) => this.#make(queued.data, queued.attemptsMade + 1, queued.timestamp),
      {
        connection: this.#redis,
        prefix: queuePrefix(place),
        concurrency: parallel,
        lockDuration: LOST_MS,
        stalledInterval: SEARCH_MS,
        maxStalledCount: MOST_LOSSES,
        runRetryDelay: RETRY_MS,
      },
    );
    worker.on('error', (error) => onError?.(withoutArguments(error)));
    worker.on('failed', (queued, error) => {
      // A part that fails in a worker is noted by that worker; a part whose worker died is noted here.
      if (queued !== undefined && /stalled/.test(error.message)) void this.#noteFailure(queued.data, error);
    });
    this.#worker = worker;
    this.#looking = setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  /** Whether the queue can be reached now. */
  get isConnected(): boolean {
    return this.#redis?.status === 'ready' && this.#jobs.states.redis.status === 'ready';
  }

  /** Number of parts that are being made. */
  get running(): number {
    return [...this.#making.values()].reduce((sum, stops) => sum + stops.size, 0);
  }

  /** Takes no more parts. Those in progress are finished within `graceMs`; otherwise other workers make them again. */
  async close(graceMs: number): Promise<void> {
    clearInterval(this.#looking);
    this.#isClosed = true;
    // Without Redis the library waits for the answer to its last request for a part, however long that takes.
    const hasNothingToReport = this.running === 0 && !this.isConnected;
    if (this.#worker !== undefined) await within(this.#worker.close(hasNothingToReport), graceMs);
    for (const stops of this.#making.values())
      for (const stop of stops) stop.abort(new Error('the worker is stopping'));
    await this.#jobs.close();
    this.#redis?.disconnect();
    this.options.maker.close();
  }

  async #make({ job: id, part }: QueuedPart, tries: number, since: number): Promise<void> {
    // The job has ended since, so its part needs nothing more.
    if (!(await this.#insist(() => this.#jobs.states.isOpen(id)))) return;
    const files = await this.options.place.files(id);
    const job = await this.#jobs.cache.get(id);
    if (!Number.isSafeInteger(part) || part < 0 || part >= partCount(job)) return;
    const attributes = { 'trestle.job': id, 'trestle.part': part };
    presentTracer()?.open({ name: 'wait in the queue', parent: job.trace, attributes, since }).end();
    const stop = new AbortController();
    const stops = this.#making.get(id) ?? new Set();
    this.#making.set(id, stops.add(stop));
    const { maker, onPart } = this.options;
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    try {
      const digest = await maker.make(job, files, part, stop.signal);
      const missing = await this.#insist(() => this.#jobs.states.done(id, part, digest));
      onPart?.(job, part, seconds());
      if (missing === 0) await this.#jobs.settle(id);
    } catch (error) {
      if (stop.signal.aborted && !(await this.#insist(() => this.#jobs.states.isOpen(id)))) return;
      onPart?.(job, part, seconds(), error);
      if (tries >= TRIES) await this.#noteFailure({ job: id, part }, error);
      throw error;
    } finally {
      stops.delete(stop);
      if (stops.size === 0) this.#making.delete(id);
    }
  }

  async #noteFailure({ job: id, part }: QueuedPart, error: unknown): Promise<void> {
    const job = await this.#jobs.cache.get(id);
    const missing = await this.#insist(() => this.#jobs.states.failed(id, failureOf(job, part, error)));
    if (missing === 0) await this.#jobs.settle(id);
  }

  /** Repeats a command until Redis can be reached: a lost connection is not a failure of the part. */
  async #insist<T>(question: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await question();
      } catch (error) {
        if (!(error instanceof BusyError) || this.#isClosed) throw error;
        await pause(RETRY_MS);
      }
    }
  }

  /** Stops the searches of jobs that have ended. */
  async #look(): Promise<void> {
    for (const [id, stops] of this.#making) {
      const isOpen = await this.#jobs.states.isOpen(id).catch(() => true);
      if (!isOpen) for (const stop of stops) stop.abort(new Error('the job has ended'));
    }
  }
}
