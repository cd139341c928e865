/** A server from its settings to its end. Loaded only by commands that serve, because it needs all of the server. */

import cluster from 'node:cluster';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { formatWarning } from '../../config/diagnostic.js';
import { type FoundSettings, resolveServerConfig } from '../../config/server-config.js';
import type { ServerConfig } from '../../config/server-settings.js';
import { loadAddon } from '../../native/addon.js';
import type { GraphSource } from '../../registry/graph-source.js';
import { removeLeftovers } from '../../registry/leftovers.js';
import { startRouters, watchRouters } from '../../registry/start.js';
import type { Script } from '../../scripting/run-script.js';
import { joinOthers } from '../../server/cluster/join.js';
import { reportFailure, SupervisorConnection } from '../../server/cluster/supervisor-connection.js';
import { createDeps, prepareSearches, type ServerParts } from '../../server/create-deps.js';
import { type Listening, listen } from '../../server/listen.js';
import { drain, endSoon } from '../../server/shutdown.js';
import { unlessMissing } from '../../storage/unless-missing.js';
import { startTracing, stopTracing } from '../../tracing/start-tracing.js';
import { CommandFailure, EXIT, exitCodeOf, messageOf } from '../failure.js';
import { graphMaker } from '../graph-maker.js';
import { createLogger } from '../logger.js';
import { readNamed, readNamedText } from '../named-file.js';
import { goOnWithoutOutput } from '../partial-output.js';
import type { ServerArguments } from '../server-flags.js';
import { type Certificate, readCertificate } from './certificate.js';
import { checkNamedFiles } from './check-named-files.js';
import { provideSample } from './provide-sample.js';
import { readStartScript, runStartScript } from './start-script.js';
import { StopSignal } from './stop-signal.js';
import { servesNothingElse, supervise } from './supervise.js';

/**
 * Runs a server until it is stopped. `built` is served under the empty id, besides the configured routers.
 * `onSignalsHandled` is called when the server listens for signals to end.
 */
export async function serve(
  from: ServerArguments,
  built?: GraphSource,
  onSignalsHandled: () => void = () => {},
): Promise<void> {
  goOnWithoutOutput();
  const settings = await readServerConfig(from);
  const { config, warnings } = settings;
  const script = from.script === undefined ? undefined : await readStartScript(from.script);
  const logger = await createLogger(config.logLevel);
  const stop = new StopSignal(logger);
  onSignalsHandled();
  if (cluster.isWorker) return serveSupervised(settings, logger, script, stop);
  for (const warning of warnings) logger.warn(formatWarning(warning));
  await checkNamedFiles(settings, (line) => logger.warn(line));
  const certificate = await readCertificate(settings);
  logWhoMayWrite(config, logger);
  if (config.workers > 1) {
    if (!built) await provideSample(config, logger);
    return supervise(config, logger, () => stop.wait(), built);
  }
  const deps = await serverParts(config, logger);
  await deps.spool.open();
  await removeLeftovers(config);
  try {
    await serveRequests(deps, { certificate, script, prepare: () => loadRouters(deps, built) }, stop);
  } finally {
    await deps.spool.close();
  }
}

/**
 * Runs one of several serving processes. It begins by loading what the others serve, and reports to the supervisor if
 * it cannot serve.
 */
async function serveSupervised(
  settings: FoundSettings,
  logger: Logger,
  script: Script | undefined,
  stop: StopSignal,
): Promise<void> {
  const { config } = settings;
  try {
    const certificate = await readCertificate(settings);
    const supervisor = new SupervisorConnection();
    // Noted now: a process whose supervisor has ended gets another parent.
    const makers = [process.pid, process.ppid];
    let isLost = false;
    supervisor.onLoss(() => {
      isLost = true;
      logger.error('the supervisor has ended, so this process ends too');
      stop.send('loss of the supervisor');
    });
    const deps = await serverParts(config, logger, supervisor);
    let stopWatching = () => {};
    const joined = deps.registry.start(() => joinOthers(deps, supervisor));
    // The process accepts no request before it has begun to load. If it replaces another process, it also waits until
    // it knows what the others know.
    if (isReplacement(config)) await joined;
    const prepare = async () => {
      await joined;
      const watching = deps.shared.own.withLock('watch', () => {
        stopWatching = watchRouters(deps);
        return new Promise(() => {});
      });
      // The wait for the lock fails when the supervisor ends; then this process ends too, and has nothing to watch.
      watching.catch(() => {});
      return () => stopWatching();
    };
    const ownScript = cluster.worker?.id === 1 ? script : undefined;
    await serveRequests(deps, { certificate, script: ownScript, prepare }, stop);
    // Otherwise the supervisor removes the files that the processes of this server have made.
    if (isLost) await deps.spool.close(makers);
    supervisor.leave();
  } catch (error) {
    reportFailure(messageOf(error), exitCodeOf(error));
  }
}

async function serverParts(
  config: ServerConfig,
  logger: Logger,
  supervisor?: SupervisorConnection,
): Promise<ServerParts> {
  await prepareSearches(config);
  await startTracing((await loadAddon()).Graph, logger);
  return createDeps(config, logger, await graphMaker(logger), supervisor);
}

/** What a process does before it answers requests. */
interface Start {
  readonly certificate: Certificate | undefined;
  /** Loads what is to be served; returns a function that stops watching for changes. */
  readonly prepare: () => Promise<() => void>;
  readonly script: Script | undefined;
}

/** Opens the ports, loads what is to be served, runs the script, and answers requests until it is stopped. */
async function serveRequests(
  deps: ServerParts,
  { certificate, prepare, script }: Start,
  stop: StopSignal,
): Promise<void> {
  const { config, registry, shared, jobs, logger } = deps;
  deps.startup.done = false;
  let ports: Listening['ports'] = [];
  try {
    ports = await openPorts(deps, certificate);
    const stopWatching = await prepare();
    await deps.hostControl?.begin();
    deps.startup.done = true;
    await jobs?.queue.open(takesOverJobs(config));
    if (script) await runStartScript(script, deps);
    logger.info({ routers: registry.list().map((router) => router.id) }, 'ready');
    await stop.wait();
    logger.info('stopping');
    stopWatching();
  } finally {
    // Also where a port is taken: connections to Redis would keep the process from ending.
    await drain(ports, deps.draining, config.drainMs);
    await jobs?.queue.close();
    registry.evictAll();
    shared.close();
    await stopTracing(logger);
    endSoon(logger);
  }
}

/** Connects to what processes share, and listens for HTTP and, with a certificate, HTTPS. */
async function openPorts(deps: ServerParts, tls: Certificate | undefined): Promise<Listening['ports']> {
  const { config, shared, logger } = deps;
  await shared.values.open();
  // A process that only supervises others never loads Koa.
  const { koaApp } = await import('../../server/app.js');
  const { port, securePort, ports } = await listen(koaApp(deps), {
    address: config.bindAddress,
    port: config.port,
    requestTimeoutMs: config.requestTimeoutMs,
    secure: tls && { port: config.securePort, tls },
  });
  logger.info({ port, securePort, mount: config.mount }, 'listening');
  return ports;
}

/** Whether this process was started because another one died. */
function isReplacement({ workers }: ServerConfig): boolean {
  return cluster.worker !== undefined && cluster.worker.id > workers;
}

/** Whether this process continues jobs that no process computes any more; only one of several processes does. */
function takesOverJobs(config: ServerConfig): boolean {
  return cluster.worker === undefined || cluster.worker.id === 1 || isReplacement(config);
}

function logWhoMayWrite({ insecure, users, tokens }: ServerConfig, logger: Logger): void {
  if (insecure) logger.warn('--insecure: anybody who reaches this server may replace and remove its routers');
  else if (users.length + tokens.length === 0) logger.info('no users and no tokens: the registry cannot be changed');
}

async function readServerConfig({ flags, basePath, configFile }: ServerArguments): Promise<FoundSettings> {
  // A server at a misspelt path would make it, and serve the sample town.
  const base = await stat(basePath).catch(() => undefined);
  if (!base?.isDirectory()) throw new CommandFailure(`--basePath: ${basePath} is not a directory`, EXIT.usage);
  const name = configFile ?? path.join(basePath, 'server-config.json');
  const text = await (configFile === undefined
    ? readNamed(name, () => readFile(name, 'utf8').catch(unlessMissing))
    : readNamedText(name));
  const file = text === undefined ? undefined : { text, name };
  return resolveServerConfig({ flags, environment: process.env, file, basePath });
}

/** Loads what is to be served; returns a function that stops watching for changes. */
async function loadRouters(deps: ServerParts, built: GraphSource | undefined): Promise<() => void> {
  const { config, registry, control, published, logger } = deps;
  if (built) {
    await registry.load('', built, { preEvict: false, evictOnFailure: true });
    if (servesNothingElse(config, built)) return () => {};
  } else {
    await provideSample(config, logger);
  }
  return startRouters({ config, registry, control, published, logger });
}
