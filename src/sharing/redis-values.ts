/**
 * Values of many hosts, kept in Redis or Valkey. Each value is a hash with its text and a version, which every change
 * raises. A process that has changed a value announces it on a channel, and waits until the processes that listen there
 * have read it.
 */

import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { BusyError } from '../http-error.js';
import { jsonOf } from '../json.js';
import { within } from '../within.js';
import { requireLength } from './process-values.js';
import type { RedisConnection } from './redis-connection.js';
import { RedisPresence } from './redis-presence.js';
import type { Change, Follower, SharedValues, Take } from './shared-values.js';
import { Watchers } from './watchers.js';

/** Longest wait for the other hosts to read a value, milliseconds. */
const FOLLOW_MS = 2000;

/**
 * Pause before values are read again after one could not be read, and after one could not be followed, milliseconds.
 */
const READ_RETRY_MS = 1000;
const FOLLOW_RETRY_MS = 10_000;

/** How long a process that starts waits for the values of the others, milliseconds. */
const FIRST_VALUES_MS = 10_000;

/** A value is removed when no process has been connected for this time, milliseconds. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Pause between two extensions of that time, milliseconds. */
const RENEW_MS = 3_600_000;

/**
 * Sets a value if it still has the expected version; returns the new version, or 0. The first version of a value is the
 * time, so that a value that was removed comes back with a later version than any that processes know.
 */
const REPLACE = `
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or '0')
if version ~= tonumber(ARGV[1]) then return 0 end
local time = redis.call('TIME')
if version == 0 then version = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) end
redis.call('HSET', KEYS[1], 'version', string.format('%.0f', version + 1), 'text', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return version + 1`;

interface Announcement {
  readonly name: string;
  /** The process that made the change, and the number that it gave the change. */
  readonly author: string;
  readonly call: number;
}

/** The answer of a process that has read a value. */
interface Answer {
  readonly call: number;
  readonly process: string;
  readonly host: string;
  readonly outcome: string;
}

/** Members of the messages, by type. */
const ANNOUNCEMENT: Members<Announcement> = { name: 'string', author: 'string', call: 'number' };
const ANSWER: Members<Answer> = { call: 'number', process: 'string', host: 'string', outcome: 'string' };

type Members<M> = { readonly [K in keyof M]: M[K] extends string ? 'string' : 'number' };

/** A change that waits for others to follow: answers by process. */
interface Waiting {
  readonly answers: Map<string, Follower>;
  /** Called after each answer. */
  answered: () => void;
}

interface Value {
  readonly text: string | undefined;
  /** 0 when there is none. */
  readonly version: number;
}

/** The values and the channel. */
export class RedisValues implements SharedValues {
  readonly #self = randomUUID();
  readonly #watchers = new Watchers();
  readonly #waiting = new Map<number, Waiting>();
  /** Versions that were taken since the connection was made, and what the watchers answered. */
  readonly #taken = new Map<string, { readonly version: number; readonly outcome: string | undefined }>();
  /** The states of one value are taken one after the other. */
  readonly #taking = new Map<string, Promise<unknown>>();
  readonly #presence: RedisPresence;
  /** Why a value could not be taken, so that it is logged once. */
  readonly #reasons = new Map<string, string>();
  #calls = 0;
  #again: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;

  /** `host` is the name of this host in the answers to others. */
  constructor(
    private readonly connection: RedisConnection,
    private readonly logger: Logger,
    private readonly host: string,
  ) {
    this.#presence = new RedisPresence(connection, this.#self, host);
  }

  async open(): Promise<void> {
    let allTaken = () => {};
    const first = new Promise<void>((resolve) => {
      allTaken = resolve;
    });
    const listen = async (channel: Redis) => {
      channel.removeAllListeners('message');
      channel.on('message', (name: string, message: string) => this.#receive(name, message));
      // The process listens before it reads, so it misses no change: earlier ones are read, later ones are announced.
      await channel.subscribe(this.#changed, this.#read(this.#self));
      // Redis may lose what it has and keep the connections.
      await this.#presence.begin(() => void this.#takeAll());
      await this.#takeAll();
      allTaken();
    };
    this.#renewal = setInterval(() => void this.#renew().catch(() => {}), RENEW_MS);
    this.#renewal.unref();
    await this.connection.open(listen, () => void this.#takeAll());
    if (!this.connection.isUp) return;
    // A process has the values of the others before it reports that it is ready.
    await within(first, FIRST_VALUES_MS);
  }

  close(): void {
    clearTimeout(this.#again);
    clearInterval(this.#renewal);
    this.#presence.end();
    this.connection.close();
  }

  async update(name: string, change: Change, { followMs = FOLLOW_MS } = {}): Promise<readonly Follower[]> {
    for (;;) {
      const { text, version } = await this.#get(name);
      const next = requireLength(name, await change(text));
      const replaced = await this.connection.ask((redis) =>
        redis.eval(REPLACE, 1, this.#value(name), version, next, KEPT_MS),
      );
      if (replaced === 0) continue;
      const taken = await this.#take(name, async () => ({ text: next, version: Number(replaced) }));
      return [{ host: this.host, outcome: taken ?? '' }, ...(await this.#notifyOthers(name, followMs))];
    }
  }

  watch(name: string, take: Take): void {
    this.#watchers.add(name, take);
  }

  async #get(name: string): Promise<Value> {
    const [text, version] = await this.connection.ask((redis) => redis.hmget(this.#value(name), 'text', 'version'));
    return { text: text ?? undefined, version: Number(version ?? 0) };
  }

  /**
   * Resolves when all processes that are present have read the value, or after a time limit. The change is already
   * made.
   */
  async #notifyOthers(name: string, followMs: number): Promise<Follower[]> {
    this.#calls += 1;
    const call = this.#calls;
    const announcement: Announcement = { name, author: this.#self, call };
    const waiting: Waiting = { answers: new Map(), answered: () => {} };
    this.#waiting.set(call, waiting);
    try {
      const others = await this.#presence.others();
      await this.connection.ask((redis) => redis.publish(this.#changed, JSON.stringify(announcement)));
      return await this.#presence.answered(others, waiting.answers, followMs, (answered) => {
        waiting.answered = answered;
      });
    } catch (error) {
      // A process that was not notified reads the value when it is connected again.
      if (error instanceof BusyError) return [...waiting.answers.values()];
      throw error;
    } finally {
      this.#waiting.delete(call);
    }
  }

  #receive(channel: string, text: string): void {
    if (channel === this.#changed) {
      const announcement = messageOf(text, ANNOUNCEMENT);
      if (announcement !== undefined) void this.#follow(announcement);
      return;
    }
    const answer = messageOf(text, ANSWER);
    if (answer === undefined) return;
    const { call, process, host, outcome } = answer;
    const waiting = this.#waiting.get(call);
    waiting?.answers.set(process, { host, outcome });
    waiting?.answered();
  }

  async #follow({ name, author, call }: Announcement): Promise<void> {
    if (author === this.#self || !this.#watchers.has(name)) return;
    const outcome = (await this.#take(name, () => this.#get(name))) ?? '';
    const answer: Answer = { call, process: this.#self, host: this.host, outcome };
    await this.connection.ask((redis) => redis.publish(this.#read(author), JSON.stringify(answer))).catch(() => {});
  }

  /** After every connection: Redis may have lost what it had. */
  async #takeAll(): Promise<void> {
    this.#taken.clear();
    await Promise.all([...this.#watchers.names()].map((name) => this.#take(name, () => this.#get(name))));
    await this.#renew().catch(() => {});
  }

  /** Reads values again later. */
  #takeAllLater(pauseMs: number): void {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => void this.#takeAll(), pauseMs);
    this.#again.unref();
  }

  /** Keeps the values for longer, except those that this process does not understand. */
  async #renew(): Promise<void> {
    for (const name of this.#watchers.names()) {
      if (this.#reasons.has(name)) continue;
      await this.connection.ask((redis) => redis.pexpire(this.#value(name), KEPT_MS));
    }
  }

  /**
   * Passes a value to all functions that watch it, unless they know a later version; resolves with what they answer.
   * Never rejects.
   */
  #take(name: string, value: () => Promise<Value>): Promise<string | undefined> {
    const previous = this.#taking.get(name) ?? Promise.resolve();
    const taking = previous.then(async () => {
      const found = await value().catch(() => this.#takeAllLater(READ_RETRY_MS));
      if (found === undefined) return 'the value could not be read';
      const { text, version } = found;
      const known = this.#taken.get(name);
      if (known !== undefined && version <= known.version) return known.outcome;
      const all = await this.#watchers.take(name, text);
      const outcome = all.find((one) => one !== undefined);
      this.#taken.set(name, { version, outcome });
      this.#reasons.delete(name);
      return outcome;
    });
    const taken = taking.catch((error) => {
      const reason = String(error.message).trim();
      if (this.#reasons.get(name) !== reason)
        this.logger.warn({ name, err: error }, 'a shared value could not be applied');
      this.#reasons.set(name, reason);
      this.#takeAllLater(FOLLOW_RETRY_MS);
      return reason;
    });
    this.#taking.set(name, taken);
    return taken;
  }

  get #changed(): string {
    return this.connection.key('changed');
  }

  #value(name: string): string {
    return this.connection.key('value', name);
  }

  /** The channel on which a process learns that others have read a value. */
  #read(author: string): string {
    return this.connection.key('read', author);
  }
}

/** Undefined for other texts: other programs may write to the channels. */
function messageOf<M extends object>(text: string, members: Members<M>): M | undefined {
  const message = jsonOf(text) as M | null | undefined;
  const names = Object.keys(members) as (keyof M)[];
  return names.every((name) => typeof message?.[name] === members[name]) ? (message ?? undefined) : undefined;
}
