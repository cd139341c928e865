/**
 * Live data that one host fetches on behalf of all, kept in Redis. A host that finds content older than its period
 * takes a lock and fetches the new content; hosts that do not get the lock use the old one. The lock expires, so a host
 * that dies does not keep the others from fetching.
 */

import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { BusyError } from '../http-error.js';
import { RELEASE_LOCK, type RedisConnection } from './redis-connection.js';
import type { FeedConditions, FeedContent, LoadFeed, NamedContent, SharedFeeds } from './shared-feeds.js';

/** Largest content that is shared, bytes. */
const MAX_BYTES = 16 * 1024 ** 2;

/** The lock of a fetch expires after this time, by which every fetch has ended, milliseconds. */
const LOCK_MS = 20_000;

/** While there is no content of a source yet: pause between two looks, and longest wait, milliseconds. */
const LOOK_MS = 100;
const FIRST_MS = 6000;

/** Content is removed when no process has requested it for this many periods, but not before a minute has passed. */
const KEPT_PERIODS = 10;
const LEAST_KEPT_MS = 60_000;

/** A period counts as over after this share of it, because timers are not exact. */
const PERIOD_SHARE = 0.9;

/**
 * The content kept: digest, etag, modified, whether it is too large, and its age in milliseconds by the clock of Redis.
 */
const LOOK = `
local found = redis.call('HMGET', KEYS[1], 'digest', 'etag', 'modified', 'large', 'at')
if not found[5] then return {} end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
return {found[1], found[2], found[3], found[4], tostring(math.floor(now - tonumber(found[5])))}`;

/** Marks the content as fetched now. Arguments after the time to keep it replace its fields. */
const NOTE = `
local time = redis.call('TIME')
if #ARGV > 1 then
  redis.call('DEL', KEYS[1])
  for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
redis.call('HSET', KEYS[1], 'at', tostring(tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)))
redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

interface Present extends FeedConditions {
  readonly digest: string | undefined;
  readonly isLarge: boolean;
  readonly ageMs: number;
}

/** Contents of sources in Redis. */
export class RedisFeeds implements SharedFeeds {
  /** Contents of more than `maxBytes` are not shared. */
  constructor(
    private readonly redis: RedisConnection,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  async fetch(source: string, periodMs: number, known: string | undefined, load: LoadFeed) {
    // The address of a source may hold a password, which must not be readable in Redis.
    const key = this.redis.key('feed', createHash('sha256').update(source).digest('base64url'));
    try {
      return await this.#fetch(key, periodMs, known, load);
    } catch (error) {
      if (error instanceof LoadFailure) throw error.cause;
      if (error instanceof BusyError) return 'alone';
      throw error;
    }
  }

  async #fetch(
    key: string,
    periodMs: number,
    known: string | undefined,
    load: LoadFeed,
  ): Promise<NamedContent | undefined | 'alone'> {
    for (const deadline = performance.now() + FIRST_MS; ; await pause(LOOK_MS)) {
      const present = await this.#look(key);
      if (present?.isLarge) return 'alone';
      const isYoung = present !== undefined && present.ageMs < periodMs * PERIOD_SHARE;
      const owner = isYoung ? undefined : await this.#lock(key);
      if (owner !== undefined) {
        return await this.#load(key, periodMs, present, known, load).finally(() => this.#unlock(key, owner));
      }
      if (present !== undefined) return this.#content(key, present, known);
      if (performance.now() > deadline) return 'alone';
    }
  }

  async #look(key: string): Promise<Present | undefined> {
    const found = (await this.redis.ask((redis) => redis.eval(LOOK, 1, key))) as (string | null)[];
    const [digest, etag, modified, large, age] = found;
    if (age === undefined || age === null) return undefined;
    const text = (value: string | null | undefined) => value ?? undefined;
    return {
      digest: text(digest),
      etag: text(etag),
      modified: text(modified),
      isLarge: text(large) !== undefined,
      ageMs: Number(age),
    };
  }

  async #content(key: string, { digest }: Present, known: string | undefined) {
    if (digest === known) return undefined;
    const [name, bytes] = await this.redis.ask((redis) => redis.hmgetBuffer(key, 'digest', 'bytes'));
    // It was removed just now.
    if (!name || !bytes) return 'alone';
    return { digest: name.toString(), bytes };
  }

  async #lock(key: string): Promise<string | undefined> {
    const owner = randomUUID();
    const taken = await this.redis.ask((redis) => redis.set(`${key}:lock`, owner, 'PX', LOCK_MS, 'NX'));
    return taken === null ? undefined : owner;
  }

  async #unlock(key: string, owner: string): Promise<void> {
    await this.redis.ask((redis) => redis.eval(RELEASE_LOCK, 1, `${key}:lock`, owner)).catch(() => {});
  }

  /** Fetches with the lock held. Content that is too large to be shared is still used here. */
  async #load(
    key: string,
    periodMs: number,
    present: Present | undefined,
    known: string | undefined,
    load: LoadFeed,
  ): Promise<NamedContent | undefined | 'alone'> {
    const conditions = { etag: present?.etag, modified: present?.modified };
    const loaded = await load(conditions).catch((cause) => {
      throw new LoadFailure('', { cause });
    });
    if (loaded === undefined) {
      await this.#note(key, periodMs, []).catch(() => {});
      return present === undefined ? undefined : this.#content(key, present, known);
    }
    const digest = createHash('sha256').update(loaded.bytes).digest('base64url');
    const fields = loaded.bytes.length > this.maxBytes ? ['large', '1'] : fieldsOf(loaded, digest);
    await this.#note(key, periodMs, fields).catch(() => {});
    return digest === known ? undefined : { digest, bytes: loaded.bytes };
  }

  async #note(key: string, periodMs: number, fields: (string | Buffer)[]): Promise<void> {
    const keptMs = Math.ceil(Math.max(LEAST_KEPT_MS, KEPT_PERIODS * periodMs));
    await this.redis.ask((redis) => redis.eval(NOTE, 1, key, keptMs, ...fields));
  }
}

/** A failure of the source, not of Redis. */
class LoadFailure extends Error {}

function fieldsOf({ bytes, etag, modified }: FeedContent, digest: string): (string | Buffer)[] {
  const conditions = [
    ['etag', etag],
    ['modified', modified],
  ].flatMap(([name, value]) => (name === undefined || value === undefined ? [] : [name, value]));
  return ['digest', digest, 'bytes', Buffer.from(bytes), ...conditions];
}
