/** The state of a queue's jobs in Redis, for all processes: which jobs are open, and what became of their parts. */

import type { Redis } from 'ioredis';
import { BusyError } from '../http-error.js';
import {
  connectRedis,
  firstContact,
  RELEASE_LOCK,
  type RedisPlace,
  withoutArguments,
} from '../sharing/redis-connection.js';
import type { FileDigest } from './job-files.js';
import { queuePrefix } from './part-queue.js';
import type { JobFailure, JobProgress } from './status.js';

/** Seconds after which a client may ask again. */
const RETRY_AFTER_S = 2;

/**
 * Opens a job unless it is open. Arguments: id, time, number of parts, then the parts that are already made, each with
 * its digest.
 */
const BEGIN = `
if redis.call('SADD', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
redis.call('HSET', KEYS[2], 'started', ARGV[2], 'parts', ARGV[3], 'before', (#ARGV - 3) / 2, 'fed', 0)
for i = 4, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1]) end
return 1`;

/** Notes a part of an open job; returns the parts that are still missing, or -1 for a job that is not open. */
const NOTE = `
if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 0 then return -1 end
redis.call('HSET', KEYS[5], ARGV[2], ARGV[3])
if KEYS[5] == KEYS[3] then redis.call('HDEL', KEYS[4], ARGV[2]) end
local parts = tonumber(redis.call('HGET', KEYS[2], 'parts'))
return parts - redis.call('HLEN', KEYS[3]) - redis.call('HLEN', KEYS[4])`;

/** Closes a job unless it has begun again. */
const END = `
if redis.call('HGET', KEYS[2], 'started') ~= ARGV[2] then return 0 end
redis.call('SREM', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
return 1`;

/** Takes or keeps the lock of a process for some milliseconds. */
const HOLD = `
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

export interface OpenState extends Pick<JobProgress, 'partsDone' | 'partsBefore' | 'failures'> {
  readonly started: string;
  /** Parts with lower numbers than this were put into the queue. */
  readonly fed: number;
  /** Parts that are neither made nor failed. */
  readonly partsLeft: number;
  readonly isCancelled: boolean;
}

export class OpenJobStates {
  #redis: Redis | undefined;

  constructor(
    private readonly place: RedisPlace,
    /** Called after every connection: Redis may have lost what it had. */
    private readonly onReady: () => void = () => {},
  ) {}

  /** Connects; resolves after a short time even if Redis cannot be reached. Rejects with `RefusedByRedis`. */
  async open(): Promise<void> {
    const redis = await connectRedis(this.place.url);
    this.#redis = redis;
    redis.on('ready', this.onReady);
    try {
      await firstContact(redis);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    this.#redis?.disconnect();
  }

  /** The connection, for the queue. */
  get redis(): Redis {
    if (this.#redis === undefined) throw new Error('the connection is not open');
    return this.#redis;
  }

  /** Runs a command. Rejects with a `BusyError` while Redis cannot be reached. */
  async ask<T>(question: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = this.#redis;
    try {
      if (redis?.status !== 'ready') throw new Error('not connected');
      return await question(redis);
    } catch (error) {
      if ((error as Error).name === 'ReplyError') throw withoutArguments(error);
      throw new BusyError('QUEUE_FAILED: the queue of jobs cannot be reached, try again later\n', RETRY_AFTER_S);
    }
  }

  openIds(): Promise<string[]> {
    return this.ask((redis) => redis.smembers(this.#open));
  }

  async isOpen(id: string): Promise<boolean> {
    return (await this.ask((redis) => redis.sismember(this.#open, id))) === 1;
  }

  /** Opens a job whose parts `done` are made; false when it is already open. */
  async begin(id: string, parts: number, done: ReadonlyMap<number, FileDigest>): Promise<boolean> {
    const present = [...done].flatMap(([part, digest]) => [String(part), JSON.stringify(digest)]);
    const args = [id, new Date().toISOString(), String(parts), ...present];
    return (await this.ask((redis) => redis.eval(BEGIN, 4, ...this.#keys(id), ...args))) === 1;
  }

  /** A part is made. Returns how many are neither made nor failed; -1 for a job that is not open. */
  done(id: string, part: number, digest: FileDigest): Promise<number> {
    return this.#note(id, 'done', part, digest);
  }

  /** A part has failed for good. */
  failed(id: string, failure: JobFailure): Promise<number> {
    return this.#note(id, 'failed', failure.part, failure);
  }

  /** Undefined when the job is not open. */
  async state(id: string): Promise<OpenState | undefined> {
    const [isOpen, fields, partsDone, failed] = await this.ask((redis) =>
      Promise.all([
        redis.sismember(this.#open, id),
        redis.hgetall(this.#key(id, 'job')),
        redis.hlen(this.#key(id, 'done')),
        redis.hvals(this.#key(id, 'failed')),
      ]),
    );
    if (isOpen === 0) return undefined;
    const failures = failed.map((text) => JSON.parse(text) as JobFailure).sort((a, b) => a.part - b.part);
    const { started = new Date().toISOString(), parts, before, fed, cancelled } = fields;
    const partsLeft = Math.max(0, Number(parts ?? 0) - partsDone - failed.length);
    const counts = { partsDone, partsBefore: Number(before ?? 0), fed: Number(fed ?? 0) };
    return { started, ...counts, partsLeft, failures, isCancelled: cancelled !== undefined };
  }

  /** The parts that are made, with their digests. */
  async doneParts(id: string): Promise<Map<number, FileDigest>> {
    const found = await this.ask((redis) => redis.hgetall(this.#key(id, 'done')));
    return new Map(Object.entries(found).map(([part, text]) => [Number(part), JSON.parse(text) as FileDigest]));
  }

  async failedParts(id: string): Promise<Set<number>> {
    return new Set((await this.ask((redis) => redis.hkeys(this.#key(id, 'failed')))).map(Number));
  }

  async setFed(id: string, fed: number): Promise<void> {
    await this.ask((redis) => redis.hset(this.#key(id, 'job'), 'fed', fed));
  }

  async cancel(id: string): Promise<void> {
    await this.ask((redis) => redis.hset(this.#key(id, 'job'), 'cancelled', 1));
  }

  /** Closes the run that began at `started`, whose end is written to the job's files. Later runs are not affected. */
  async end(id: string, started: string): Promise<void> {
    await this.ask((redis) => redis.eval(END, 4, ...this.#keys(id), id, started));
  }

  /** Takes or keeps the lock of the keeper; false while another process has it. */
  async hold(owner: string, forMs: number): Promise<boolean> {
    return (await this.ask((redis) => redis.eval(HOLD, 1, `${this.#prefix}:keeper`, owner, forMs))) === 1;
  }

  /** Releases the lock of the keeper before it expires. */
  async release(owner: string): Promise<void> {
    await this.ask((redis) => redis.eval(RELEASE_LOCK, 1, `${this.#prefix}:keeper`, owner));
  }

  #note(id: string, what: 'done' | 'failed', part: number, value: object): Promise<number> {
    const keys = [...this.#keys(id), this.#key(id, what)];
    const args = [id, String(part), JSON.stringify(value)];
    return this.ask((redis) => redis.eval(NOTE, 5, ...keys, ...args)) as Promise<number>;
  }

  get #prefix(): string {
    return queuePrefix(this.place);
  }

  get #open(): string {
    return `${this.#prefix}:open`;
  }

  #keys(id: string): [string, string, string, string] {
    return [this.#open, this.#key(id, 'job'), this.#key(id, 'done'), this.#key(id, 'failed')];
  }

  #key(id: string, what: 'job' | 'done' | 'failed'): string {
    return `${this.#prefix}:job:${id}:${what}`;
  }
}
