/** The stores for data of clients, over the state that the processes share. */

import type { Logger } from 'pino';
import { AlertStore } from '../alerts/alert-store.js';
import { graphKey } from '../analysis/graph-key.js';
import { PointSetDirectory } from '../analysis/point-set-directory.js';
import { type RestoreSurface, SurfaceStore } from '../analysis/surface-store.js';
import type { ServerConfig } from '../config/server-settings.js';
import type { HandlerDeps } from '../http/deps.js';
import { RouterNotFoundError } from '../http-error.js';
import type { RouterRegistry } from '../registry/registry.js';
import { ScenarioRouters } from '../scenarios/scenario-routers.js';
import { type FilesHere, SharedFiles } from '../sharing/shared-files.js';
import type { SharedState } from './sharing.js';

const POINT_SETS = 'point sets';

interface RoutersHere {
  readonly registry: () => RouterRegistry;
  readonly graphFile: (id: string) => string | undefined;
}

/** Point sets and scenarios are files, so the processes of one host share them anyway. */
export function sharedStores(
  config: ServerConfig,
  shared: SharedState,
  logger: Logger,
  { registry, graphFile }: RoutersHere,
): Pick<HandlerDeps, 'alerts' | 'scenarios' | 'pointSets' | 'surfaces'> {
  const alerts = new AlertStore(shared.values, config.alertFile);
  const scenarios = new ScenarioRouters(graphFile);
  const pointSets = new PointSetDirectory(config.pointSets, withLock(POINT_SETS, shared));
  if (shared.hosts !== undefined) {
    pointSets.shareAs((here) => sharedFiles(POINT_SETS, shared, here, logger));
    scenarios.shareAs((here) => sharedFiles('scenarios', shared, here, logger));
  }
  return { alerts, scenarios, pointSets, surfaces: surfaceStore(config, shared, registry) };
}

/** Surfaces of this process, or of all that share their contents. */
function surfaceStore(
  { maxSurfaceBytes }: ServerConfig,
  { values, contents, hosts }: SharedState,
  registry: () => RouterRegistry,
): SurfaceStore {
  const limits = { bytes: maxSurfaceBytes };
  if (contents === undefined) return new SurfaceStore(values, limits);
  const restore: RestoreSurface = ({ id, content }, request, bytes) =>
    registry()
      .use(id, async (router) => {
        if (content === undefined || router.content !== content) return undefined;
        return { graphKey: graphKey(router), times: await router.graph.surfaceFromBytes(request, await bytes()) };
      })
      .catch((error) => {
        // Bytes that cannot be read are those of another version of Trestle, which served this graph before.
        const cannotBeShown = error instanceof RouterNotFoundError || error.code === 'INVALID_REQUEST';
        if (cannotBeShown) return undefined;
        throw error;
      });
  return new SurfaceStore(values, limits, { contents, restore, hosts: hosts !== undefined });
}

/** Files that all hosts have. */
function sharedFiles(
  name: string,
  shared: SharedState,
  here: Omit<FilesHere, 'withLock'>,
  logger: Logger,
): SharedFiles {
  const { values, contents } = shared;
  if (contents === undefined) throw new Error('files are shared by hosts only');
  return new SharedFiles(name, values, contents, { ...here, withLock: withLock(name, shared) }, logger);
}

/** Runs work on files of this name while no other process of this host does. */
function withLock(name: string, { own }: SharedState): FilesHere['withLock'] {
  return (work) => own.withLock(name, work);
}
