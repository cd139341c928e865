/** Which routers a server starts with, and how they are kept up to date. */

import path from 'node:path';
import type { Logger } from 'pino';
import { LEGAL_CHARACTERS } from '../config/router-id.js';
import type { ServerConfig } from '../config/server-settings.js';
import type { SharedValues } from '../sharing/shared-values.js';
import { readingError } from '../storage/reading-error.js';
import { within } from '../within.js';
import type { RouterControl } from './control.js';
import { fileVersion, GRAPH_FILE, routerDirectory } from './graph-file.js';
import { hasBuildInputs } from './inputs.js';
import type { PublishedGraphs } from './published.js';
import { PublishedWatch } from './published-watch.js';
import type { RouterRegistry } from './registry.js';
import { misnamedDirectories, ReloadWatch, repeat, routerDirectories, scanOnce } from './watch.js';

/** What start-up needs. */
interface StartDeps {
  readonly config: Pick<
    ServerConfig,
    'routers' | 'graphs' | 'autoScan' | 'autoReload' | 'buildOnDemand' | 'followSeconds'
  >;
  /** Where the graphs are published, if they are. */
  readonly published?: PublishedGraphs | undefined;
  readonly registry: RouterRegistry;
  readonly control: Pick<RouterControl, 'put'>;
  readonly logger: Logger;
}

/** Loads the first routers, then begins to watch. Returns a function that stops watching. */
export async function startRouters(deps: StartDeps): Promise<() => void> {
  await deps.registry.start(() => loadFirstRouters(deps));
  return watchRouters(deps);
}

/**
 * Loads the configured routers, or all in the graphs directory when none is configured. A router that cannot be loaded
 * is logged and left out.
 */
export async function loadFirstRouters(deps: StartDeps): Promise<void> {
  const { control, logger } = deps;
  for (const id of await firstRouters(deps)) {
    // The graphs in the cache are served at once; the first check finds newer ones.
    const outcome = await control.put(id, { asKept: true });
    if (outcome === 'not-found') logger.error({ router: id }, 'router not loaded');
  }
}

/**
 * Loads the routers of the start, unless another process that shares the values has done so. Processes do this one at a
 * time.
 */
export async function onceForAll(values: SharedValues, load: () => Promise<void>): Promise<void> {
  await values.update('routers of the start', async (text) => {
    if (text === undefined) await load();
    return 'loaded';
  });
}

/** Begins to look for new and changed graphs, if configured. Returns a function that stops it. */
export function watchRouters(deps: StartDeps): () => void {
  if (deps.published !== undefined) return followPublished(deps, deps.published);
  const { config, control, registry, logger } = deps;
  const stops: (() => void)[] = [];
  const failed = (error: unknown) => logger.error({ err: error }, 'could not look for graphs');
  if (config.autoScan) stops.push(repeat(() => scanOnce(config.graphs, registry, control), failed));
  if (config.autoReload) {
    const watch = new ReloadWatch(registry, control);
    stops.push(repeat(() => watch.look(), failed));
  }
  return () => {
    for (const stop of stops) stop();
  };
}

/** Checks for new publications, for the first time at once. */
function followPublished(deps: StartDeps, published: PublishedGraphs): () => void {
  const { registry, control, logger } = deps;
  const { routers, autoScan, followSeconds } = deps.config;
  if (followSeconds === 0) return () => {};
  const onStore = (error: unknown) => {
    if (error === undefined) logger.info('the object store answers again');
    else logger.warn({ err: error }, 'the object store cannot be searched for published graphs');
  };
  const watch = new PublishedWatch(published, registry, control, { routers, autoScan, onStore });
  return repeat(() => watch.look(), onStore, followSeconds * 1000, 0);
}

/** Longest wait for the list of published routers, milliseconds; after that, those in the cache are served first. */
const LIST_WAIT_MS = 5000;

async function publishedRouters(published: PublishedGraphs): Promise<string[]> {
  const listed = published.ids().catch(() => undefined);
  return (await within(listed, LIST_WAIT_MS)) ?? published.mirrored();
}

async function firstRouters({ config, published, logger }: StartDeps) {
  const { routers, graphs, autoScan, buildOnDemand } = config;
  const named = [...routers];
  if (named.length > 0 && !autoScan) return named;
  if (published !== undefined) return [...new Set([...named, ...(await publishedRouters(published))])];
  const isServable = async (directory: string) => {
    const unreadable = await readingError(directory);
    if (unreadable !== undefined) {
      logger.error({ directory }, `directory left out: it cannot be read: ${unreadable.message}`);
      return false;
    }
    if ((await fileVersion(path.join(directory, GRAPH_FILE))) !== undefined) return true;
    return buildOnDemand && named.length === 0 && hasBuildInputs(directory);
  };
  const found: string[] = [];
  for (const id of await routerDirectories(graphs)) {
    if (await isServable(routerDirectory(graphs, id))) found.push(id);
  }
  for (const name of await misnamedDirectories(graphs)) {
    const directory = path.join(graphs, name);
    if (await isServable(directory))
      logger.warn({ directory }, `directory left out: ids of routers consist of ${LEGAL_CHARACTERS}`);
  }
  return [...new Set([...named, ...found])];
}
