/** How many requests one client may make to all hosts together: a bucket per client in Redis that refills steadily. */

import type { RedisConnection } from './redis-connection.js';

/** Takes one request; returns 0, or the seconds until the next one is allowed. Only the clock of Redis counts. */
const TAKE = `
local per_minute = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = tonumber(bucket[1] or per_minute)
local passed = math.max(0, now - tonumber(bucket[2] or now))
tokens = math.min(per_minute, tokens + passed * per_minute / 60)
local wait = 0
if tokens < 1 then wait = math.ceil((1 - tokens) * 60 / per_minute) else tokens = tokens - 1 end
redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens), 'at', string.format('%.6f', now))
redis.call('EXPIRE', KEYS[1], 61)
return wait`;

export class RedisShares {
  /** `alone` counts in this process while Redis cannot be reached, so that requests are still answered. */
  constructor(
    private readonly redis: RedisConnection,
    private readonly perMinute: number,
    private readonly alone: { take(client: string): number },
  ) {}

  /** Takes one request from a client's share; returns 0, or the seconds until the next one is allowed. */
  async take(client: string): Promise<number> {
    const key = this.redis.key('share', client);
    try {
      return Number(await this.redis.ask((redis) => redis.eval(TAKE, 1, key, this.perMinute)));
    } catch {
      return this.alone.take(client);
    }
  }
}
