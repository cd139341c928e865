/** Which routers a server begins with, and what keeps them up to date. */

import type { Logger } from 'pino';
import type { ServerConfig } from '../config/server-config.js';
import type { LocalControl } from './control.js';
import { hasBuildInputs } from './inputs.js';
import type { RouterRegistry } from './registry.js';
import type { GraphHandle } from './router.js';
import { ReloadWatch, repeat, routerDirectories, scanOnce } from './watch.js';

/** What start-up works on. */
export interface StartDeps<G extends GraphHandle> {
  readonly config: Pick<ServerConfig, 'routers' | 'graphs' | 'autoScan' | 'autoReload' | 'buildOnDemand'>;
  readonly registry: RouterRegistry<G>;
  readonly control: LocalControl<G>;
  readonly logger: Logger;
}

/**
 * Loads the configured routers, or whatever the graphs directory holds when none is named, then begins to watch.
 * A router that cannot be loaded is logged and left out. Returns the way to stop watching.
 */
export async function startRouters<G extends GraphHandle>(deps: StartDeps<G>): Promise<() => void> {
  const { config, control, registry, logger } = deps;
  await registry.start(async () => {
    for (const id of await firstRouters(deps)) {
      const outcome = await control.put(id, false);
      if (outcome === 'not-found') logger.error({ router: id }, 'router not loaded');
    }
  });
  const stops: (() => void)[] = [];
  const failed = (error: unknown) => logger.error({ err: error }, 'looking for graphs failed');
  if (config.autoScan) stops.push(repeat(() => scanOnce(config.graphs, registry, control), failed));
  if (config.autoReload) {
    const watch = new ReloadWatch(registry, control);
    stops.push(repeat(() => watch.look(), failed));
  }
  return () => {
    for (const stop of stops) stop();
  };
}

async function firstRouters<G extends GraphHandle>({ config, control }: StartDeps<G>): Promise<string[]> {
  const named = [...config.routers];
  if (named.length > 0 && !config.autoScan) return named;
  const found: string[] = [];
  for (const id of await routerDirectories(config.graphs)) {
    const source = control.directorySource(id);
    const built = (await source.stamp()) !== undefined;
    const buildable = config.buildOnDemand && named.length === 0 && (await hasBuildInputs(source.directory));
    if (built || buildable) found.push(id);
  }
  return [...new Set([...named, ...found])];
}
