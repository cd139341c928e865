/** Contents in Redis: one hash for each, of parts that are small enough for one command. */

import type { RedisConnection } from './redis-connection.js';
import { contentTooLarge, MAX_CONTENT_BYTES, MissingContent, type SharedContents } from './shared-contents.js';

const PART_BYTES = 1024 ** 2;

/** A content is removed when no process has reported it in use for this time, milliseconds. */
const KEPT_MS = 3_600_000;

/** Pause between two such reports, milliseconds. */
const RENEW_MS = 900_000;

/** A content that is not complete is removed after this time, milliseconds. */
const INCOMPLETE_KEPT_MS = 300_000;

/** The field with the number of parts, which makes a content complete. */
const PARTS = 'parts';

/** Contents by name, in one Redis. */
export class RedisContents implements SharedContents {
  readonly #used: (() => Iterable<string>)[] = [];
  #renewal: NodeJS.Timeout | undefined;

  constructor(private readonly redis: RedisConnection) {}

  async put(name: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const key = this.#key(name);
    if (await this.has(name)) return this.#prolong(name);
    let [count, total] = [0, 0];
    for await (const part of evenParts(bytes)) {
      total += part.length;
      if (total > MAX_CONTENT_BYTES) {
        await this.remove(name);
        throw contentTooLarge();
      }
      const number = String(count);
      await this.redis.ask((redis) => redis.hset(key, number, part));
      await this.redis.ask((redis) => redis.pexpire(key, INCOMPLETE_KEPT_MS));
      count += 1;
    }
    await this.redis.ask((redis) => redis.hset(key, PARTS, count));
    await this.#prolong(name);
  }

  async *get(name: string): AsyncIterable<Uint8Array> {
    const key = this.#key(name);
    const count = await this.redis.ask((redis) => redis.hget(key, PARTS));
    if (count === null) throw new MissingContent(name);
    for (let i = 0; i < Number(count); i += 1) {
      const part = await this.redis.ask((redis) => redis.hgetBuffer(key, String(i)));
      if (part === null) throw new MissingContent(name);
      yield part;
    }
  }

  async has(name: string): Promise<boolean> {
    return (await this.redis.ask((redis) => redis.hexists(this.#key(name), PARTS))) === 1;
  }

  keep(names: () => Iterable<string>): void {
    this.#used.push(names);
    if (this.#renewal !== undefined) return;
    this.#renewal = setInterval(() => void this.#renew().catch(() => {}), RENEW_MS);
    this.#renewal.unref();
  }

  async remove(name: string): Promise<void> {
    await this.redis.ask((redis) => redis.del(this.#key(name)));
  }

  close(): void {
    clearInterval(this.#renewal);
  }

  async #renew(): Promise<void> {
    for (const name of this.#used.flatMap((names) => [...names()])) await this.#prolong(name);
  }

  async #prolong(name: string): Promise<void> {
    await this.redis.ask((redis) => redis.pexpire(this.#key(name), KEPT_MS));
  }

  #key(name: string): string {
    return this.redis.key('content', name);
  }
}

/** The same bytes in parts of one size; the last may be smaller. */
async function* evenParts(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + PART_BYTES - length);
      waiting.push(piece);
      length += piece.length;
      at += piece.length;
      if (length < PART_BYTES) continue;
      yield Buffer.concat(waiting);
      [waiting, length] = [[], 0];
    }
  }
  if (length > 0) yield Buffer.concat(waiting);
}
