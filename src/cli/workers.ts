/** `serve --workers N`: this process prepares the graphs, then watches over those that serve them. */

import type { Logger } from 'pino';
import type { ServerConfig } from '../config/server-config.js';
import { hasBuildInputs } from '../registry/inputs.js';
import { routerDirectories } from '../registry/watch.js';
import { Supervisor } from '../server/cluster/supervisor.js';
import { createDeps } from '../server/create-deps.js';
import { graphMaker } from './graph-maker.js';

/** Builds what is missing, starts the workers and returns when they have all stopped. */
export async function superviseWorkers(
  config: ServerConfig,
  logger: Logger,
  toldToStop: () => Promise<void>,
): Promise<void> {
  await prepareGraphs(config, logger);
  if (config.analyst) logger.warn('surfaces belong to the process that made them: use --workers 1 with --analyst');
  const supervisor = new Supervisor(logger);
  supervisor.start(config.workers);
  await toldToStop();
  await supervisor.stop();
}

/** One build here instead of one in every worker. */
async function prepareGraphs(config: ServerConfig, logger: Logger): Promise<void> {
  const { localControl, uploads } = createDeps(config, logger, await graphMaker());
  await uploads.spool.clear();
  const ids = config.routers.length > 0 ? config.routers : await routerDirectories(config.graphs);
  for (const id of ids) {
    const source = localControl.directorySource(id);
    const built = (await source.stamp()) !== undefined;
    if (built || !config.buildOnDemand || !(await hasBuildInputs(source.directory))) continue;
    await source.open().then(
      ({ graph }) => graph.dispose(),
      (error) => logger.error({ router: id, err: error }, 'router could not be built'),
    );
  }
}
