/** A server from its settings to its quiet end. Loaded only by commands that serve: it brings all of the server along. */

import cluster from 'node:cluster';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { formatWarning } from '../config/diagnostic.js';
import { resolveServerConfig, type ServerConfig } from '../config/server-config.js';
import { loadAddon } from '../native/addon.js';
import type { Graph } from '../native/types.js';
import type { GraphSource } from '../registry/graph-source.js';
import { startRouters } from '../registry/start.js';
import { createApp } from '../server/app.js';
import { joinCluster } from '../server/cluster/worker-control.js';
import { createDeps, type ServerParts, searchesAtOnce } from '../server/create-deps.js';
import { listen } from '../server/listen.js';
import { drain } from '../server/shutdown.js';
import { provideSample } from './first-graph.js';
import { graphMaker } from './graph-maker.js';
import { createLogger } from './logger.js';
import type { ServerArguments } from './server-flags.js';
import { readStartScript, runStartScript } from './start-script.js';
import { superviseWorkers } from './workers.js';

/** Runs a server until it is told to stop. `built` is served under the empty id beside the configured routers. */
export async function serve(from: ServerArguments, built?: GraphSource<Graph>): Promise<void> {
  const { config, warnings } = await readServerConfig(from);
  const script = from.script === undefined ? undefined : await readStartScript(from.script);
  const logger = await createLogger(config.logLevel);
  for (const warning of warnings) logger.warn(formatWarning(warning));
  tellWhoMayWrite(config, logger);
  if (config.workers > 1 && cluster.isPrimary) {
    if (!built) await provideSample(config, logger);
    return superviseWorkers(config, logger, toldToStop);
  }
  const { configurePool } = await loadAddon();
  configurePool(searchesAtOnce(config), searchesAtOnce(config) + config.maxQueuedSearches);
  const own = createDeps(config, logger, await graphMaker());
  const worker = cluster.isWorker ? joinCluster(own) : undefined;
  const deps = worker?.parts ?? own;
  if (!worker) await deps.uploads.spool.clear();
  deps.startup.done = false;
  const prepare = async () => {
    const stopWatching = await loadRouters(deps, built);
    await worker?.control.catchUp();
    deps.startup.done = true;
    return stopWatching;
  };
  // A worker joins others that serve already: it takes no request before it has begun to load, and when it takes the
  // place of another one, no request before it knows what the others know.
  const early = worker ? prepare() : undefined;
  if (isReplacement(config)) await early;
  const listening = await listen(createApp(deps), {
    address: config.bindAddress,
    port: config.port,
    requestTimeoutMs: config.requestTimeoutMs,
    secure: await secureOptions(config),
  });
  logger.info({ port: listening.port, securePort: listening.securePort, mount: config.mount }, 'listening');
  const stopWatching = await (early ?? prepare());
  if (script && isFirstProcess()) await runStartScript(script, deps);
  logger.info({ routers: deps.registry.list().map((router) => router.id) }, 'ready');
  await toldToStop();
  logger.info('stopping');
  stopWatching();
  await drain(listening.servers, deps.draining, config.drainMs);
  deps.registry.evictAll();
  worker?.control.leave();
}

/** Of several processes one does what is done once; those that replace others do not. */
function isFirstProcess(): boolean {
  return !cluster.isWorker || cluster.worker?.id === 1;
}

/** Whether this process was started because another one died. */
function isReplacement({ workers }: ServerConfig): boolean {
  return cluster.worker !== undefined && cluster.worker.id > workers;
}

function tellWhoMayWrite({ insecure, users, tokens }: ServerConfig, logger: Logger): void {
  if (insecure) logger.warn('--insecure: whoever reaches this server may replace and remove its routers');
  else if (users.length + tokens.length === 0) logger.info('no users and no tokens: the registry cannot be changed');
}

async function readServerConfig({ flags, basePath, configFile }: ServerArguments) {
  const name = configFile ?? path.join(basePath, 'server-config.json');
  const text = await readFile(name, 'utf8').catch((error) => {
    if (configFile === undefined && error.code === 'ENOENT') return undefined;
    throw error;
  });
  const file = text === undefined ? undefined : { text, name };
  return resolveServerConfig({ flags, environment: process.env, file, basePath });
}

/** Loads what there is to serve; returns the way to stop watching for changes. */
async function loadRouters(deps: ServerParts, built: GraphSource<Graph> | undefined): Promise<() => void> {
  const { config, registry, localControl: control, logger } = deps;
  if (built) {
    await registry.load('', built, { preEvict: false, evictOnFailure: true });
    if (config.routers.length === 0 && !config.autoScan) return () => {};
  } else {
    await provideSample(config, logger);
  }
  return startRouters({ config, registry, control, logger });
}

/** HTTPS needs a certificate and its key. */
async function secureOptions({ securePort, tlsCertificate, tlsKey }: ServerConfig) {
  if (tlsCertificate === undefined || tlsKey === undefined) return undefined;
  const [cert, key] = await Promise.all([readFile(tlsCertificate), readFile(tlsKey)]);
  return { port: securePort, tls: { cert, key } };
}

function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
