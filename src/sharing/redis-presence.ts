/** Which processes share the state now: each says again and again that it is there. */

import type { RedisConnection } from './redis-connection.js';
import { HEARTBEAT_MS } from './redis-connection.js';
import type { Follower } from './shared-values.js';

/** A process that has said nothing for this time is not waited for, milliseconds. */
const ABSENT_MS = 3 * HEARTBEAT_MS;

/** Pause between two looks at who is there, while answers are awaited, milliseconds. */
const LOOK_MS = 1000;

/**
 * Notes a process by the clock of Redis; returns all that are there. Without a process it only looks. Nobody can be there
 * for longer than that time, unless the clock was set back.
 */
const NOTE = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
if ARGV[1] ~= '' then redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + 2 * tonumber(ARGV[2]), '+inf')
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZRANGE', KEYS[1], 0, -1)`;

/** The processes, each with its host. */
export class RedisPresence {
  readonly #member: string;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: RedisConnection,
    private readonly self: string,
    host: string,
  ) {
    this.#member = `${self} ${host}`;
  }

  /** From now on this process is there. */
  async begin(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => void this.#note(this.#member).catch(() => {}), HEARTBEAT_MS);
    this.#heartbeat.unref();
    await this.#note(this.#member);
  }

  /** The others need not wait for this process any more. */
  end(): void {
    clearInterval(this.#heartbeat);
    this.connection.ask((redis) => redis.zrem(this.#key, this.#member)).catch(() => {});
  }

  /** The other processes that are there, with their hosts. Each has heard what is announced after this. */
  async others(): Promise<Map<string, string>> {
    return new Map((await this.#note('')).map(parts).filter(([process]) => process !== this.self));
  }

  /**
   * Waits until every process of `expected` has answered or gone, or for `mostMs`; returns what each said, also of those
   * that have gone. `answers` is by process; `whenHeard` gets what to call after each answer.
   */
  async answered(
    expected: ReadonlyMap<string, string>,
    answers: ReadonlyMap<string, Follower>,
    mostMs: number,
    whenHeard: (heard: () => void) => void,
  ): Promise<Follower[]> {
    const deadline = performance.now() + mostMs;
    const silent = () => [...expected].filter(([process]) => !answers.has(process));
    for (let present: ReadonlyMap<string, string> = expected; ; present = await this.others()) {
      const missing = () => silent().some(([process]) => present.has(process));
      const left = deadline - performance.now();
      if (!missing() || left <= 0) break;
      await heardAll(() => !missing(), Math.min(LOOK_MS, left), whenHeard);
    }
    return [...answers.values(), ...silent().map(([, host]): Follower => ({ host, outcome: undefined }))];
  }

  async #note(member: string): Promise<string[]> {
    return (await this.connection.ask((redis) => redis.eval(NOTE, 1, this.#key, member, ABSENT_MS))) as string[];
  }

  get #key(): string {
    return this.connection.key('hosts');
  }
}

/** Waits until `isDone` is true after an answer, or for a time. */
function heardAll(isDone: () => boolean, mostMs: number, whenHeard: (heard: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, mostMs);
    whenHeard(() => {
      if (!isDone()) return;
      clearTimeout(late);
      resolve();
    });
    if (isDone()) {
      clearTimeout(late);
      resolve();
    }
  });
}

/** The process and the host of a member. */
function parts(member: string): [process: string, host: string] {
  const end = member.indexOf(' ');
  return [member.slice(0, end), member.slice(end + 1)];
}
