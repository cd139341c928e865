/** `serve --workers N`: this process prepares the graphs, then supervises the processes that serve them. */

import type { Logger } from 'pino';
import type { ServerConfig } from '../../config/server-settings.js';
import type { RouterControl } from '../../registry/control.js';
import { fileVersion } from '../../registry/graph-file.js';
import { builtFile, type GraphSource, type ServedGraph } from '../../registry/graph-source.js';
import { hasBuildInputs } from '../../registry/inputs.js';
import { removeLeftovers } from '../../registry/leftovers.js';
import { type Pin, pinsIn } from '../../registry/pin.js';
import { onceForAll } from '../../registry/start.js';
import { routerDirectories } from '../../registry/watch.js';
import { Supervisor } from '../../server/cluster/supervisor.js';
import { createDeps, uncopiedLog } from '../../server/create-deps.js';
import { readingError } from '../../storage/reading-error.js';
import { CommandFailure } from '../failure.js';
import { graphMaker } from '../graph-maker.js';

/** Time that serving processes get to end after they have answered their last requests, milliseconds. */
const END_MS = 5000;

/**
 * Builds what is missing, starts the serving processes, and returns when all of them have stopped. `built` is served
 * under the empty id. Throws `CommandFailure` when the processes cannot serve.
 */
export async function supervise(
  config: ServerConfig,
  logger: Logger,
  stopRequest: () => Promise<void>,
  built?: GraphSource,
): Promise<void> {
  const { control, spool } = createDeps(config, logger, await graphMaker(logger));
  await spool.open();
  await removeLeftovers(config);
  if (!servesNothingElse(config, built)) await buildMissing(config, logger, control);
  const supervisor = new Supervisor(logger, spool, { stopMs: config.drainMs + END_MS });
  if (built) await supervisor.begin(await served(built, pinsIn(spool, uncopiedLog(logger))));
  if (servesNothingElse(config, built)) await onceForAll(supervisor.values, async () => {});
  supervisor.start(config.workers);
  const failure = await Promise.race([stopRequest(), supervisor.failure]);
  await supervisor.stop();
  if (failure) throw new CommandFailure(failure.message, failure.exitCode);
}

/** Keeps the built graph for the serving processes even if its file changes. */
async function served({ file }: GraphSource, pin: Pin): Promise<ServedGraph> {
  const pinned = await pin(file);
  return { ...builtFile(file), pinned, temporary: pinned !== file };
}

/** Whether the built graph is the only one to serve. */
export function servesNothingElse({ routers, autoScan }: ServerConfig, built: GraphSource | undefined): boolean {
  return built !== undefined && routers.length === 0 && !autoScan;
}

/** Builds here once, instead of in every serving process. */
async function buildMissing(config: ServerConfig, logger: Logger, control: RouterControl): Promise<void> {
  const ids = config.routers.length > 0 ? config.routers : await routerDirectories(config.graphs);
  for (const id of ids) {
    const source = control.directorySource(id);
    if (!config.buildOnDemand || (await fileVersion(source.file)) !== undefined) continue;
    // The serving processes report a directory that cannot be read.
    if ((await readingError(source.directory)) !== undefined || !(await hasBuildInputs(source.directory))) continue;
    await source.open().then(
      ({ graph }) => graph.dispose(),
      (error) => logger.error({ router: id, err: error }, 'router could not be built'),
    );
  }
}
