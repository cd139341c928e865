/** The connection to Redis or Valkey: commands with a time limit, and connecting again after it was lost. */

import type { Redis, RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { BusyError } from '../http-error.js';
import { pauseAfter } from '../pauses.js';
import { within } from '../within.js';

/** Where the shared state is. */
export interface RedisPlace {
  /** `redis://user:password@host:6379/0`, or `rediss://` with TLS. */
  readonly url: string;
  /** First part of all keys and channels. */
  readonly prefix: string;
}

/** Longest time for one command, and for the first connection, milliseconds. */
const COMMAND_MS = 2000;

/** The first and the longest pause between two tries to connect, milliseconds. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1000;

/** Pause before a try to connect, milliseconds. */
export const reconnectPause = (tries: number) => pauseAfter(tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

/** Pause between two checks whether the connections still answer, or reports that a process is present, milliseconds. */
export const REDIS_HEARTBEAT_MS = 5000;

/** A script that releases a lock if the owner that it is given still has it: by then the lock may have expired. */
export const RELEASE_LOCK = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`;

/** Seconds after which a client may ask again. */
const RETRY_AFTER_S = 2;

/** Redis refuses this server because of a wrong address or password; waiting does not help. */
class RefusedByRedis extends Error {
  readonly code = 'REDIS_REFUSED';
}

/** Errors by which Redis refuses a client. */
const REFUSALS = /^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|invalid password|Client sent AUTH|DB index|invalid DB))/;

/** Every command succeeds or fails within a short time; without a connection it fails at once. */
const COMMANDS_IN_TIME: RedisOptions = {
  connectTimeout: COMMAND_MS,
  commandTimeout: COMMAND_MS,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
};

/**
 * Makes a connection, which is made again when it is lost, after pauses of about a second at most. `options` replace the
 * limits of its commands, for example for a queue whose commands wait as long as they have to.
 */
export async function connectRedis(url: string, options: RedisOptions = COMMANDS_IN_TIME): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    // Without this, a process that ends waits two seconds for connections that are already lost.
    disconnectTimeout: 200,
    retryStrategy: reconnectPause,
    ...options,
  });
  // Commands that fail report it themselves.
  redis.on('error', () => {});
  return redis;
}

/** Hears that a connection was lost, and that it is there. */
interface ConnectionListener {
  /** Called when the connection is lost, and then once for each other reason why it cannot be made again. */
  lost?(reason: Error | undefined): void;
  /** Called each time the connection is made; `again` if it was lost before. */
  ready?(again: boolean): void;
}

/** Tells when a connection is lost and when it is there. */
export function watchConnection(redis: Redis, listener: ConnectionListener): void {
  let isLost = false;
  let last: Error | undefined;
  const reported = new Set<string | undefined>();
  const lose = () => {
    if (isLost && reported.has(last?.message)) return;
    isLost = true;
    reported.add(last?.message);
    listener.lost?.(last);
  };
  redis.on('error', (error) => {
    last = withoutArguments(error);
    if (isLost) lose();
  });
  redis.on('close', lose);
  redis.on('ready', () => {
    const again = isLost;
    isLost = false;
    last = undefined;
    reported.clear();
    listener.ready?.(again);
  });
}

/** Waits a short time for new connections. Rejects with `RefusedByRedis` when Redis refuses one of them. */
export async function firstContact(...connections: Redis[]): Promise<void> {
  const refused = new Promise<never>((_, reject) => {
    for (const redis of connections) {
      redis.on('error', ({ message }) => {
        const answer = message.replace('Ready check failed: ', '');
        if (REFUSALS.test(answer)) reject(new RefusedByRedis(`redis: the server refuses the connection: ${answer}`));
      });
    }
  });
  const ready = Promise.all(connections.map((redis) => new Promise((resolve) => redis.once('ready', resolve))));
  await within(Promise.race([ready, refused]), COMMAND_MS);
}

/** An error of the client without the arguments of its command, which may be stored texts or a password. */
export function withoutArguments<E>(error: E): E {
  if (error instanceof Error && 'command' in error) delete error.command;
  return error;
}

/** A connection for commands and one for a channel. */
export class RedisConnection {
  #commands: Redis | undefined;
  #channel: Redis | undefined;
  /** Connections that no longer answer and are being closed, which takes a moment. */
  readonly #lost = new Set<Redis>();
  #heartbeat: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    private readonly place: RedisPlace,
    private readonly logger: Logger,
  ) {}

  /** Whether Redis can be reached now. */
  get isUp(): boolean {
    return this.#commands?.status === 'ready' && !this.#lost.has(this.#commands);
  }

  /** A key or channel of this server. */
  key(...parts: string[]): string {
    return [this.place.prefix, ...parts].join(':');
  }

  /**
   * Connects. `listen` prepares the channel after each of its connections; `ready` is called after each connection for
   * commands. Resolves after a short time even if Redis cannot be reached; rejects with `RefusedByRedis`.
   */
  async open(listen: (channel: Redis) => Promise<void> = async () => {}, ready = () => {}): Promise<void> {
    const commands = await connectRedis(this.place.url);
    const channel = await connectRedis(this.place.url, { ...COMMANDS_IN_TIME, autoResubscribe: false });
    this.#commands = commands;
    this.#channel = channel;
    this.#report(commands);
    for (const redis of [commands, channel]) redis.on('close', () => this.#lost.delete(redis));
    channel.on('ready', () => listen(channel).catch(() => this.#giveUp(channel)));
    commands.on('ready', ready);
    this.#heartbeat = setInterval(() => {
      for (const redis of [commands, channel]) {
        if (redis.status === 'ready') redis.ping().catch(() => this.#giveUp(redis));
      }
    }, REDIS_HEARTBEAT_MS);
    this.#heartbeat.unref();
    try {
      await firstContact(commands, channel);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    this.#channel?.disconnect();
    this.#commands?.disconnect();
  }

  /** Runs a command. Rejects with a `BusyError` when Redis cannot be reached or refuses it. */
  async ask<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = this.#commands;
    try {
      if (redis === undefined || !this.isUp) throw new Error('not connected');
      return await command(redis);
    } catch (error) {
      if (this.isUp) this.logger.warn({ err: withoutArguments(error) }, 'a command to Redis failed');
      // Without a connection the next command fails at once, instead of after another time limit. A Redis that answers
      // with an error, for example that it is full, keeps its connection; one that has become a replica does not.
      const { name, message } = error as Error;
      if (redis !== undefined && (name !== 'ReplyError' || message.startsWith('READONLY'))) this.#giveUp(redis);
      throw new BusyError('the shared state cannot be reached, try again later\n', RETRY_AFTER_S);
    }
  }

  /** Connects again. */
  #giveUp(redis: Redis): void {
    if (redis.status !== 'ready' || this.#lost.has(redis)) return;
    this.#lost.add(redis);
    redis.disconnect(true);
  }

  #report(redis: Redis): void {
    watchConnection(redis, {
      lost: (err) => {
        if (this.#isClosed) return;
        this.logger.warn({ err }, 'the shared state cannot be reached: changes to it are answered with 503');
      },
      ready: () => this.logger.info('the shared state can be reached'),
    });
  }
}
