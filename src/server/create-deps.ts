/** Puts the parts of the server together. */

import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { PointLinks } from '../analysis/point-links.js';
import { formatWarning } from '../config/diagnostic.js';
import type { ServerConfig } from '../config/server-settings.js';
import { MunicipalityLookup } from '../geocoding/municipality-lookup.js';
import { loadAddon } from '../native/addon.js';
import { GraphCache } from '../publishing/graph-cache.js';
import { GraphMirror } from '../publishing/mirror.js';
import { Queue } from '../queues.js';
import { RouterControl } from '../registry/control.js';
import { type GraphMaker, NoGraphError } from '../registry/graph-source.js';
import { HostControl } from '../registry/host-control.js';
import { linksIn, pinsIn, type UncopiedListener } from '../registry/pin.js';
import type { PublishedGraphs } from '../registry/published.js';
import { type RegistryObserver, RouterRegistry } from '../registry/registry.js';
import { Spool } from '../registry/spool.js';
import { Uploads } from '../registry/uploads.js';
import { AddressRule } from '../updaters/feed-address.js';
import { LiveRouters } from '../updaters/live-routers.js';
import { Admission } from './admission.js';
import { Authenticator } from './authenticator.js';
import { OriginReader } from './client-address.js';
import type { SupervisorConnection } from './cluster/supervisor-connection.js';
import type { AppDeps } from './deps.js';
import { collectHeapSoon } from './heap-collection.js';
import { type JobParts, serverJobs } from './jobs.js';
import { Metrics } from './metrics.js';
import { sharedStores } from './shared-stores.js';
import { type SharedState, sharedState } from './sharing.js';
import { Draining } from './shutdown.js';
import { StreetPreparation } from './street-preparation.js';

/** The parts, and those that only the start and the end of the server need. */
export interface ServerParts extends AppDeps {
  /** Where the graphs are published, if they are. */
  readonly published: PublishedGraphs | undefined;
  /** The state that the serving processes share. */
  readonly shared: SharedState;
  /** Files that last as long as the server. */
  readonly spool: Spool;
}

/**
 * The parts of a process alone or, with `supervisor`, of one of several. Throws when a user's password hash or a
 * proxy's address has no known form, or the file of alerts is unreadable.
 */
export function createDeps(
  config: ServerConfig,
  logger: Logger,
  maker: GraphMaker,
  supervisor?: SupervisorConnection,
): ServerParts {
  const metrics = new Metrics();
  const spool = new Spool(config.graphs, config.maxUploadBytes, supervisor && process.ppid);
  const shared = sharedState(config, logger, metrics, supervisor && { connection: supervisor, spool });
  const base: Base = { config, logger, metrics, shared, spool, draining: new Draining() };
  const served = servedRouters(base);
  const changes = routerChanges(base, served, oneBuildAtATime(maker, logger), supervisor !== undefined);
  const turns = searchTurns(base);
  return {
    ...base,
    ...served,
    ...changes,
    ...turns,
    municipalities: new MunicipalityLookup(config.municipalities ?? {}, () =>
      served.registry.list().map(({ graph }) => graph),
    ),
    pointLinks: new PointLinks(),
    jobs: watchedJobs(base, { ...served, ...changes, ...turns, maker }),
    metricsText: () => supervisor?.metricsText() ?? metrics.text(),
    authenticator: new Authenticator(config.users, config.tokens),
    shares: shared.shares,
    origins: new OriginReader(config.trustedProxies),
    startup: { done: true },
  };
}

/** What all other parts are made from. */
type Base = Pick<ServerParts, 'config' | 'logger' | 'metrics' | 'shared' | 'spool' | 'draining'>;

/** The routers, and what follows them: their live data, and what clients have stored for them. */
function servedRouters(base: Base) {
  const { config, logger, metrics, shared } = base;
  const graphFile = (id: string) => registry.sourceOf(id)?.file;
  const stores = sharedStores(config, shared, logger, { registry: () => registry, graphFile });
  const live = new LiveRouters(logger, stores.alerts, graphFile, new AddressRule(config.feedHosts), shared.feeds);
  const registry: RouterRegistry = new RouterRegistry({
    defaultRouterId: config.routers[0] ?? '',
    anyRouterAsDefault: config.routers.length === 0 || config.autoScan,
    loadWaitMs: config.loadWaitMs,
    observers: [
      registryLog(logger, metrics),
      live,
      stores.scenarios,
      removedRouters(() => registry, stores.surfaces, base),
      new StreetPreparation(logger),
    ],
  });
  metrics.watchUpdaters(() => live.metrics());
  metrics.watchRouters(() => registry.list().length);
  return { registry, live, ...stores };
}

/** What changes the routers: in all processes of this host, and on all hosts. */
function routerChanges(base: Base, served: ReturnType<typeof servedRouters>, maker: GraphMaker, isShared: boolean) {
  const { config, logger, shared, spool } = base;
  const { registry, surfaces } = served;
  const uploads = new Uploads(spool, config, maker);
  const published = publishedGraphs(config, logger, maker);
  const pin = published === undefined ? pinsIn(spool, uncopiedLog(logger)) : linksIn(spool);
  const control = new RouterControl(registry, maker, config, { own: shared.own, pin, published, isShared });
  const hostControl = controlOfHosts(control, shared, { registry, spool, surfaces, logger });
  return { uploads, published, pin, control, hostControl };
}

/** A build uses all processors and much memory, so further ones wait. */
function oneBuildAtATime({ open, build }: GraphMaker, logger: Logger): GraphMaker {
  const builds = new Queue();
  return {
    open,
    build: (directory, file) =>
      builds.take(() =>
        build(directory, file, ({ step, fraction }) => logger.debug({ directory, step, fraction }, 'building')),
      ),
  };
}

/** The operator has to know this before overwriting the file, which ends every process that has it mapped. */
export function uncopiedLog(logger: Logger): UncopiedListener {
  return (file, error) =>
    logger.warn({ file, err: error }, 'no copy of the graph could be made: overwriting its file would end this server');
}

/** Jobs with their metrics; undefined when the server takes none. */
function watchedJobs({ config, logger, metrics, shared }: Base, parts: Omit<JobParts, 'metrics' | 'parallel' | 'own'>) {
  const jobs = serverJobs(config, logger, { ...parts, metrics, parallel: searchesAtOnce(config), own: shared.own });
  if (jobs !== undefined) metrics.watchJobs(() => jobs.queue.partsLeft(), config.redis !== undefined);
  return jobs;
}

/** Frees what a removed router leaves in memory. */
function removedRouters(
  registry: () => RouterRegistry,
  surfaces: ServerParts['surfaces'],
  { shared, draining, logger }: Base,
): RegistryObserver {
  return {
    // Surfaces outlive a reload, so that the times before and after it can be compared.
    released: ({ id }) => {
      if (registry().isRegistered(id)) return;
      // Other hosts may still serve the router, and so do other processes when this one is stopping.
      const everywhere = shared.hosts === undefined && !draining.begun;
      surfaces
        .removeOf(id, everywhere)
        .catch((error) => logger.warn({ router: id, err: error }, 'surfaces not removed'));
      collectHeapSoon();
    },
  };
}

/** The control that changes routers on all hosts; undefined without other hosts. */
function controlOfHosts(
  control: RouterControl,
  { own, values, contents, hosts }: SharedState,
  { registry, spool, surfaces, logger }: Pick<ServerParts, 'registry' | 'spool' | 'surfaces' | 'logger'>,
): HostControl | undefined {
  if (hosts === undefined || contents === undefined) return undefined;
  return new HostControl(control, registry, {
    values,
    contents,
    own,
    reserve: (suffix) => spool.reserve(suffix),
    evicted: (id) => surfaces.removeOf(id, true),
    logger,
  });
}

/** The graphs published in an object store; undefined when the operator's own graphs directory is served. */
function publishedGraphs(
  { publishedGraphs: place, s3Endpoint, graphs, maxCacheBytes }: ServerConfig,
  logger: Logger,
  maker: GraphMaker,
): PublishedGraphs | undefined {
  if (place === undefined) return undefined;
  return new GraphMirror({
    graphs,
    cache: new GraphCache(graphs, maxCacheBytes),
    connect: async () => (await import('../publishing/s3-object-store.js')).openS3(place, s3Endpoint),
    open: (file) => maker.open(file, { checkFirst: true }),
    logger,
  });
}

/** Each running query may hold some thirty megabytes, and each waiting one a tenth of that. */
const LARGE_QUERIES = { concurrency: 2, maxQueued: 16 } as const;

/** Short searches, long ones and large queries have turns of their own. */
function searchTurns({ config, metrics }: Base) {
  const maxWaitMs = config.maxQueueWaitMs;
  const bounds = { concurrency: searchesAtOnce(config), maxQueued: config.maxQueuedSearches, maxWaitMs };
  const [admission, longAdmission] = [new Admission(bounds), new Admission(bounds)];
  metrics.watchAdmission(() => [admission.state, longAdmission.state]);
  return { admission, longAdmission, largeQueries: new Admission({ ...LARGE_QUERIES, maxWaitMs }) };
}

/** Sets the number of search threads of this process as configured; this works only before the first search. */
export async function prepareSearches(config: ServerConfig): Promise<void> {
  const { configurePool } = await loadAddon();
  configurePool(searchesAtOnce(config), searchesAtOnce(config) + config.maxQueuedSearches);
}

/**
 * How many short searches, and how many long ones, this process runs at once: the serving processes share the
 * processors.
 */
function searchesAtOnce({ maxThreads, workers }: ServerConfig): number {
  return Math.max(1, Math.floor((maxThreads === 0 ? availableParallelism() : maxThreads) / workers));
}

function registryLog(logger: Logger, metrics: Metrics): RegistryObserver {
  return {
    served({ id, generation }, { warnings }) {
      metrics.graphLoads.inc({ outcome: 'loaded' });
      logger.info({ router: id, generation }, 'router registered');
      for (const warning of warnings) logger.warn({ router: id }, formatWarning(warning));
    },
    released({ id, generation }) {
      logger.info({ router: id, generation }, 'router released');
    },
    failed(id, error) {
      metrics.graphLoads.inc({ outcome: 'failed' });
      if (error instanceof NoGraphError) logger.warn({ router: id }, error.message);
      else logger.error({ router: id, err: error }, 'router could not be loaded');
    },
  };
}
