/** What the hosts of a server share, by its settings. */

import type { Logger } from 'pino';
import type { ServerConfig } from '../config/server-settings.js';
import { ProcessValues } from '../sharing/process-values.js';
import { RedisFeeds } from '../sharing/redis-feeds.js';
import { RedisShares } from '../sharing/redis-shares.js';
import { RedisValues } from '../sharing/redis-values.js';
import type { SharedFeeds } from '../sharing/shared-feeds.js';
import type { SharedValues } from '../sharing/shared-values.js';
import type { Metrics } from './metrics.js';
import type { ClientShares } from './middleware/rate.js';
import { RateLimiter } from './rate-limit.js';

/** With Redis all hosts share the values, else the processes of this one do. */
export function sharedValues({ redis, redisPrefix }: ServerConfig, logger: Logger, metrics: Metrics): SharedValues {
  if (redis === undefined) return new ProcessValues();
  const values = new RedisValues({ url: redis, prefix: redisPrefix }, logger);
  metrics.watchSharedState(() => values.isUp);
  return values;
}

/** With Redis a client has one share of all hosts, else one of each process; undefined without a limit. */
export function clientShares({ maxRequestsPerMinute }: ServerConfig, values: SharedValues): ClientShares | undefined {
  if (maxRequestsPerMinute === 0) return undefined;
  const own = new RateLimiter(maxRequestsPerMinute);
  return values instanceof RedisValues ? new RedisShares(values, maxRequestsPerMinute, own) : own;
}

/** With Redis one process fetches live data for all; undefined when each fetches for itself. */
export function sharedFeeds(values: SharedValues): SharedFeeds | undefined {
  return values instanceof RedisValues ? new RedisFeeds(values) : undefined;
}
