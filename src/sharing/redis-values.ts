/**
 * Values of many hosts, kept in Redis or Valkey. Each value is a hash with its text and a version, which every change
 * raises. A process that has changed a value announces it on a channel, and waits until the processes that listen there
 * have read it.
 */

import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { BusyError } from '../http-error.js';
import { requireLength } from './process-values.js';
import type { SharedValues, Take } from './shared-values.js';

/** Where the values are. */
export interface RedisPlace {
  /** `redis://user:password@host:6379/0`, or `rediss://` with TLS. */
  readonly url: string;
  /** First part of all keys and channels. */
  readonly prefix: string;
}

/** Longest time for one command, and for the first connection, milliseconds. */
const COMMAND_MS = 2000;

/** Longest wait for the other hosts to read a value, milliseconds. */
const FOLLOW_MS = 2000;

/** Longest pause between two tries to connect, milliseconds. */
const RECONNECT_MS = 1000;

/** Pause between two checks whether the connections still answer, milliseconds. */
const HEARTBEAT_MS = 5000;

/** Seconds after which a client may ask again. */
const RETRY_AFTER_S = 2;

/** Sets a value if it has the expected version still; returns whether it did. 0 is the version of a missing one. */
const REPLACE = `
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or '0')
if version ~= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'version', version + 1, 'text', ARGV[2])
return 1`;

interface Announcement {
  readonly name: string;
  /** The process that made the change, and its number for it. */
  readonly author: string;
  readonly call: number;
}

/** How many processes have read a change, and how many listen; the latter is known once the change is announced. */
interface Waiting {
  answers: number;
  listeners: number;
  readonly done: () => void;
}

interface Value {
  readonly text: string | undefined;
  /** 0 when there is none. */
  readonly version: number;
}

/** The connection to Redis, with the values and the channel. */
export class RedisValues implements SharedValues {
  readonly #self = randomUUID();
  readonly #watchers = new Map<string, Take[]>();
  readonly #waiting = new Map<number, Waiting>();
  /** Versions that were taken since the connection was made. */
  readonly #taken = new Map<string, number>();
  /** Values are taken one after the other. */
  #taking: Promise<unknown> = Promise.resolve();
  #calls = 0;
  #commands: Redis | undefined;
  #channel: Redis | undefined;
  /** Connections that no longer answer and are being given up, which takes a moment. */
  readonly #lost = new Set<Redis>();
  #heartbeat: NodeJS.Timeout | undefined;
  #again: NodeJS.Timeout | undefined;

  constructor(
    private readonly place: RedisPlace,
    private readonly logger: Logger,
  ) {}

  /** Whether Redis can be reached now. */
  get isUp(): boolean {
    return this.#commands?.status === 'ready' && !this.#lost.has(this.#commands);
  }

  /** A key of this server. */
  key(...parts: string[]): string {
    return [this.place.prefix, ...parts].join(':');
  }

  async open(): Promise<void> {
    const { Redis } = await import('ioredis');
    const options = {
      connectTimeout: COMMAND_MS,
      commandTimeout: COMMAND_MS,
      // A command fails at once without a connection, instead of waiting for one.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times: number) => Math.min(100 * times, RECONNECT_MS),
    };
    const commands = new Redis(this.place.url, options);
    const channel = new Redis(this.place.url, { ...options, autoResubscribe: false });
    this.#commands = commands;
    this.#channel = channel;
    this.#report(commands);
    for (const redis of [commands, channel]) redis.on('close', () => this.#lost.delete(redis));
    channel.on('error', () => {});
    channel.on('message', (name: string, message: string) => this.#hear(name, message));
    channel.on('ready', () => {
      // Listening comes first: a change after it is heard, one before it is read.
      const listening = channel.subscribe(this.#changed, this.#read(this.#self)).then(() => this.#meetAll());
      listening.catch(() => this.#giveUp(channel));
    });
    commands.on('ready', () => void this.#meetAll());
    this.#heartbeat = setInterval(() => {
      for (const redis of [commands, channel]) {
        if (redis.status === 'ready') redis.ping().catch(() => this.#giveUp(redis));
      }
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
    let late: NodeJS.Timeout | undefined;
    await Promise.race([
      Promise.all([commands, channel].map((redis) => new Promise((resolve) => redis.once('ready', resolve)))),
      new Promise((resolve) => {
        late = setTimeout(resolve, COMMAND_MS);
      }),
    ]);
    clearTimeout(late);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#again);
    this.#channel?.disconnect();
    this.#commands?.disconnect();
  }

  async update(name: string, change: (text: string | undefined) => Promise<string>): Promise<void> {
    for (;;) {
      const { text, version } = await this.#get(name);
      const next = requireLength(name, await change(text));
      const replaced = await this.ask((redis) => redis.eval(REPLACE, 1, this.#value(name), version, next));
      if (replaced !== 1) continue;
      await this.#take(name, async () => ({ text: next, version: version + 1 }));
      return this.#tellOthers(name);
    }
  }

  watch(name: string, take: Take): void {
    this.#watchers.set(name, [...(this.#watchers.get(name) ?? []), take]);
  }

  async #get(name: string): Promise<Value> {
    const [text, version] = await this.ask((redis) => redis.hmget(this.#value(name), 'text', 'version'));
    return { text: text ?? undefined, version: Number(version ?? 0) };
  }

  /** Runs a command. Rejects with a `BusyError` when Redis cannot be reached. */
  async ask<T>(question: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = this.#commands;
    try {
      if (redis === undefined || !this.isUp) throw new Error('not connected');
      return await question(redis);
    } catch (error) {
      if (this.isUp) this.logger.warn({ err: error }, 'Redis did not do what it was asked for');
      // Without a connection the next command is refused at once, instead of after another time limit.
      if (redis !== undefined) this.#giveUp(redis);
      throw new BusyError('the shared state cannot be reached, try again later\n', RETRY_AFTER_S);
    }
  }

  /** Resolves when all processes that listen have read the value, or after a time limit. The change is already made. */
  async #tellOthers(name: string): Promise<void> {
    this.#calls += 1;
    const call = this.#calls;
    const announcement: Announcement = { name, author: this.#self, call };
    let late: NodeJS.Timeout | undefined;
    const read = new Promise<void>((done) => {
      this.#waiting.set(call, { answers: 0, listeners: Number.POSITIVE_INFINITY, done });
      late = setTimeout(done, FOLLOW_MS);
    });
    try {
      const listeners = await this.ask((redis) => redis.publish(this.#changed, JSON.stringify(announcement)));
      this.#count(call, (waiting) => {
        waiting.listeners = listeners;
      });
      await read;
    } catch (error) {
      // A process that was not told reads the value when it is connected again.
      if (!(error instanceof BusyError)) throw error;
    } finally {
      clearTimeout(late);
      this.#waiting.delete(call);
    }
  }

  #count(call: number, count: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(call);
    if (waiting === undefined) return;
    count(waiting);
    if (waiting.answers >= waiting.listeners) waiting.done();
  }

  #hear(channel: string, message: string): void {
    if (channel === this.#changed) return void this.#follow(JSON.parse(message));
    this.#count(Number(message), (waiting) => {
      waiting.answers += 1;
    });
  }

  async #follow({ name, author, call }: Announcement): Promise<void> {
    if (author !== this.#self) await this.#take(name, () => this.#get(name));
    await this.ask((redis) => redis.publish(this.#read(author), String(call))).catch(() => {});
  }

  /** After every connection: Redis may have lost what it had. */
  async #meetAll(): Promise<void> {
    this.#taken.clear();
    for (const name of this.#watchers.keys()) await this.#take(name, () => this.#get(name));
  }

  /** Reads values again a little later, after one could not be read. */
  #meetAgain(): void {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => void this.#meetAll(), RECONNECT_MS);
    this.#again.unref();
  }

  /** Passes a value to all functions that watch it, unless they know a later version. Never rejects. */
  #take(name: string, value: () => Promise<Value>): Promise<void> {
    const taking = this.#taking.then(async () => {
      const found = await value().catch(() => this.#meetAgain());
      if (found === undefined) return;
      const { text, version } = found;
      if (version <= (this.#taken.get(name) ?? -1)) return;
      this.#taken.set(name, version);
      await Promise.all((this.#watchers.get(name) ?? []).map((take) => take(text)));
    });
    const taken = taking.catch((error) => this.logger.warn({ name, err: error }, 'a shared value was not taken'));
    this.#taking = taken;
    return taken;
  }

  /** Connects anew. */
  #giveUp(redis: Redis): void {
    if (redis.status !== 'ready' || this.#lost.has(redis)) return;
    this.#lost.add(redis);
    redis.disconnect(true);
  }

  #report(redis: Redis): void {
    let up: boolean | undefined;
    let last: Error | undefined;
    redis.on('error', (error) => {
      last = error;
    });
    redis.on('ready', () => {
      up = true;
      last = undefined;
      this.logger.info('the shared state can be reached');
    });
    redis.on('close', () => {
      if (up === false) return;
      up = false;
      this.logger.warn({ err: last }, 'the shared state cannot be reached: changes of it are answered with 503');
    });
  }

  get #changed(): string {
    return this.key('changed');
  }

  #value(name: string): string {
    return this.key('value', name);
  }

  /** The channel on which a process learns that others have read a value. */
  #read(author: string): string {
    return this.key('read', author);
  }
}
