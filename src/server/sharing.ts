/** The state that the processes of a server share, according to its settings: the processes of one host, or of many. */

import { hostname } from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config/server-settings.js';
import type { Spool } from '../registry/spool.js';
import { FileContents } from '../sharing/file-contents.js';
import { ProcessValues } from '../sharing/process-values.js';
import { RedisConnection } from '../sharing/redis-connection.js';
import { RedisContents } from '../sharing/redis-contents.js';
import { RedisFeeds } from '../sharing/redis-feeds.js';
import { RedisShares } from '../sharing/redis-shares.js';
import { RedisValues } from '../sharing/redis-values.js';
import type { SharedContents } from '../sharing/shared-contents.js';
import type { SharedFeeds } from '../sharing/shared-feeds.js';
import type { SharedValues } from '../sharing/shared-values.js';
import type { SupervisorConnection } from './cluster/supervisor-connection.js';
import { type Metrics, sharedStateGauge } from './metrics.js';
import type { ClientShares } from './middleware/rate.js';
import { RateLimiter } from './rate-limit.js';

/** The ways in which the processes of a server agree. */
export interface SharedState {
  /** Values that the processes of this host share among themselves. */
  readonly own: ProcessValues;
  /** Values that all processes share, including those of other hosts. */
  readonly values: SharedValues;
  /** Undefined in a server of one process. */
  readonly contents: SharedContents | undefined;
  /** The connection to other hosts; undefined without them. */
  readonly hosts: RedisConnection | undefined;
  /** Undefined when each process fetches live data for itself. */
  readonly feeds: SharedFeeds | undefined;
  /** Undefined without a limit. */
  readonly shares: ClientShares | undefined;
  close(): void;
}

/** What one of several serving processes has from its supervisor. */
interface Supervised {
  readonly connection: SupervisorConnection;
  readonly spool: Spool;
}

/** With Redis, all hosts share their state; without it, the processes of this host do, if there are several. */
export function sharedState(
  config: ServerConfig,
  logger: Logger,
  metrics: Metrics,
  supervised: Supervised | undefined,
): SharedState {
  const own = new ProcessValues(supervised?.connection);
  const { redis, redisPrefix, maxRequestsPerMinute } = config;
  const ownShares = maxRequestsPerMinute === 0 ? undefined : new RateLimiter(maxRequestsPerMinute);
  if (redis === undefined) {
    const contents = supervised && processContents(supervised.spool);
    return { own, values: own, contents, hosts: undefined, feeds: undefined, shares: ownShares, close: () => {} };
  }
  const hosts = new RedisConnection({ url: redis, prefix: redisPrefix }, logger);
  sharedStateGauge(metrics.registry, () => hosts.isUp);
  const values = new RedisValues(hosts, logger, hostName(config));
  const contents = new RedisContents(hosts);
  return {
    own,
    values,
    contents,
    hosts,
    feeds: new RedisFeeds(hosts),
    shares: ownShares && new RedisShares(hosts, maxRequestsPerMinute, ownShares),
    close: () => {
      contents.close();
      values.close();
    },
  };
}

/** Several processes of this host share files in a directory of their supervisor. */
function processContents(spool: Spool): SharedContents {
  return new FileContents(path.join(spool.directory, `${process.ppid}-shared`));
}

/** The name of this host in answers: `hostName`, or the machine's name with the port. */
export function hostName({ hostName: given, port }: ServerConfig): string {
  return given ?? `${hostname()}:${port}`;
}
