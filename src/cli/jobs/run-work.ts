/** Runs `trestle work`. */

import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { resolveServerConfig, type ServerFlags } from '../../config/server-config.js';
import type { ServerConfig } from '../../config/server-settings.js';
import { reportSeldom } from '../../failure-reports.js';
import { FolderGraphs, StoredGraphs } from '../../jobs/job-graphs.js';
import type { JobGraphs } from '../../jobs/open-jobs.js';
import { type OnPart, PartMaker } from '../../jobs/part-maker.js';
import { PartWorker } from '../../jobs/part-worker.js';
import { loadAddon, openChecked } from '../../native/addon.js';
import { GraphCache } from '../../publishing/graph-cache.js';
import { Draining, endSoon } from '../../server/shutdown.js';
import { removeTemporary } from '../../storage/unfinished.js';
import { startTracing, stopTracing } from '../../tracing/start-tracing.js';
import { createLogger } from '../logger.js';
import { requiredQueue } from './job-queue.js';

/** Options of the command; the server's settings with the same names, and their environment variables, count too. */
export type WorkArguments = Pick<
  ServerFlags,
  | 'redis'
  | 'redisPrefix'
  | 'jobs'
  | 'graphs'
  | 'cache'
  | 's3Endpoint'
  | 'maxThreads'
  | 'port'
  | 'bindAddress'
  | 'logLevel'
>;

/**
 * Computes parts until it receives a signal to end; then finishes its parts, unless that takes longer than `drainMs`.
 */
export async function work(flags: WorkArguments): Promise<void> {
  const { config } = resolveServerConfig({ flags, environment: process.env, basePath: '.' });
  const queue = requiredQueue(config);
  const logger = await createLogger(config.logLevel);
  const parallel = config.maxThreads === 0 ? availableParallelism() : config.maxThreads;
  const addon = await loadAddon();
  addon.configurePool(parallel, 2 * parallel);
  await startTracing(addon.Graph, logger);
  await removeTemporary();
  let counted: OnPart | undefined;
  const worker = new PartWorker({
    ...queue,
    maker: new PartMaker(graphsOf(config, openChecked)),
    parallel,
    onPart: (job, part, seconds, error) => {
      counted?.(job, part, seconds, error);
      if (error === undefined) logger.info({ job: job.id, part }, 'part made');
      else logger.warn({ job: job.id, part, err: error }, 'a part could not be made');
    },
    onError: reportSeldom((error) => logger.warn({ err: error }, 'the queue or the place of jobs cannot be reached')),
    onReconnect: () => logger.info('the queue can be reached again'),
  });
  const wantsPort = flags.port !== undefined || process.env.TRESTLE_PORT !== undefined;
  const operatorPort = wantsPort ? await openOperatorPort(worker, config, logger) : undefined;
  counted = operatorPort?.onPart;
  try {
    await worker.open();
    // Installed before the log says that it works, because a program that reads the log may end the process right then.
    const stop = new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
    logger.info({ parallel, jobs: config.jobs, port: operatorPort?.port }, 'working');
    await stop;
    logger.info('stopping');
    operatorPort?.draining.begin();
    await worker.close(config.drainMs);
  } finally {
    await operatorPort?.close();
  }
  await stopTracing(logger);
  endSoon(logger);
}

/** Opens the port of health and metrics. */
async function openOperatorPort(worker: PartWorker, { bindAddress, port: wanted }: ServerConfig, logger: Logger) {
  const { listen } = await import('../../server/listen.js');
  const { WorkerMetrics, workerApp } = await import('../../server/worker-app.js');
  const metrics = new WorkerMetrics(worker);
  const draining = new Draining();
  const app = workerApp(worker, metrics, draining, logger);
  const { port, close } = await listen(app, { address: bindAddress, port: wanted });
  const onPart: OnPart = (_, __, seconds, error) => metrics.parts.count(seconds, error);
  return { port, onPart, draining, close: () => close(0) };
}

function graphsOf(config: ServerConfig, open: ConstructorParameters<typeof FolderGraphs>[1]): JobGraphs {
  const { publishedGraphs: place, graphs, s3Endpoint, maxCacheBytes } = config;
  if (place === undefined) return new FolderGraphs(graphs, open);
  const connect = async () => (await import('../../publishing/s3-object-store.js')).openS3(place, s3Endpoint);
  return new StoredGraphs(connect, new GraphCache(graphs, maxCacheBytes), open);
}
