/** Which processes share the state now: each reports regularly that it is present. */

import type { RedisConnection } from './redis-connection.js';
import { REDIS_HEARTBEAT_MS } from './redis-connection.js';
import type { Follower } from './shared-values.js';

/** A process that has reported nothing for this time is not waited for, milliseconds. */
const ABSENT_MS = 3 * REDIS_HEARTBEAT_MS;

/** Pause between two checks of who is present, while answers are awaited, milliseconds. */
const LOOK_MS = 1000;

/**
 * Notes that a process is present, by the clock of Redis. Returns 1 if Redis did not know it, else 0, and all processes
 * that are present; without a process, it notes nothing. An entry that would last more than twice the usual time was made
 * before the clock was set back, and is removed.
 */
const NOTE = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local new = 0
if ARGV[1] ~= '' then new = redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + 2 * tonumber(ARGV[2]), '+inf')
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {new, redis.call('ZRANGE', KEYS[1], 0, -1)}`;

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

  /** Reports this process as present from now on. `onForgotten` is called when Redis no longer knew that it is. */
  async begin(onForgotten: () => void): Promise<void> {
    clearInterval(this.#heartbeat);
    const report = async () => {
      const [isNew] = await this.#note(this.#member);
      if (isNew === 1) onForgotten();
    };
    this.#heartbeat = setInterval(() => void report().catch(() => {}), REDIS_HEARTBEAT_MS);
    this.#heartbeat.unref();
    await this.#note(this.#member);
  }

  /** The other processes no longer wait for this one. */
  end(): void {
    clearInterval(this.#heartbeat);
    this.connection.ask((redis) => redis.zrem(this.#key, this.#member)).catch(() => {});
  }

  /**
   * The other processes that are present, with their hosts. Each of them receives what is announced after this call.
   */
  async others(): Promise<Map<string, string>> {
    const [, members] = await this.#note('');
    return new Map(members.map(parts).filter(([process]) => process !== this.self));
  }

  /**
   * Waits until every process of `expected` has answered or is no longer present, at most for `mostMs`. Returns all
   * answers, and an undefined outcome for each process without one. `answers` has the answers by process; `onAnswer`
   * is given a function to call after each answer.
   */
  async answered(
    expected: ReadonlyMap<string, string>,
    answers: ReadonlyMap<string, Follower>,
    mostMs: number,
    onAnswer: (answered: () => void) => void,
  ): Promise<Follower[]> {
    const deadline = performance.now() + mostMs;
    const unanswered = () => [...expected].filter(([process]) => !answers.has(process));
    for (let present: ReadonlyMap<string, string> = expected; ; present = await this.others()) {
      const missing = () => unanswered().some(([process]) => present.has(process));
      const left = deadline - performance.now();
      if (!missing() || left <= 0) break;
      await allAnswered(() => !missing(), Math.min(LOOK_MS, left), onAnswer);
    }
    return [...answers.values(), ...unanswered().map(([, host]): Follower => ({ host, outcome: undefined }))];
  }

  async #note(member: string): Promise<[isNew: number, members: string[]]> {
    const noted = await this.connection.ask((redis) => redis.eval(NOTE, 1, this.#key, member, ABSENT_MS));
    return noted as [number, string[]];
  }

  get #key(): string {
    return this.connection.key('hosts');
  }
}

/** Waits until `isDone` is true after an answer, or until the time is over. */
function allAnswered(isDone: () => boolean, mostMs: number, onAnswer: (answered: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, mostMs);
    onAnswer(() => {
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

function parts(member: string): [process: string, host: string] {
  const end = member.indexOf(' ');
  return [member.slice(0, end), member.slice(end + 1)];
}
