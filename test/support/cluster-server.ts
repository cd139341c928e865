/**
 * A server over text graphs: `node cluster-server.js GRAPHS PROCESSES [RULES]`. 0 processes means one process without a
 * supervisor; RULES are the supervisor's as JSON. If it has a channel to its parent, it reports the ports of each
 * serving process, `{ pid, port, shared }`, and `{ pid }` when one has ended. CLUSTER_FLAGS in the environment are more
 * settings as JSON; with CLUSTER_MAKER=addon the graphs are real ones.
 */

import cluster from 'node:cluster';
import path from 'node:path';
import { pino } from 'pino';
import { resolveServerConfig } from '../../src/config/server-config.js';
import { addonMaker } from '../../src/registry/addon-maker.js';
import { Spool } from '../../src/registry/spool.js';
import { startRouters } from '../../src/registry/start.js';
import { joinOthers } from '../../src/server/cluster/join.js';
import { Supervisor } from '../../src/server/cluster/supervisor.js';
import { reportFailure, SupervisorConnection } from '../../src/server/cluster/supervisor-connection.js';
import { listen } from '../../src/server/listen.js';
import { TEXT_GRAPHS } from './text-graphs.js';

/** The port of a serving process, and the one that all share; without a port it has ended. */
export interface ServingProcess {
  readonly pid: number;
  readonly port?: number;
  readonly shared?: number;
}

const [graphs = '.', processes = '2', rules = '{}'] = process.argv.slice(2);
const logger = pino({ level: process.env.CLUSTER_LOG ?? 'silent' }, pino.destination({ dest: 2, sync: true }));

function tell(message: ServingProcess): void {
  process.send?.(message);
}

async function supervise(): Promise<void> {
  const supervisor = new Supervisor(logger, new Spool(graphs, 0), JSON.parse(rules));
  cluster.on('message', (_, message) => {
    if (message.port !== undefined) tell(message);
  });
  cluster.on('exit', ({ process: { pid } }) => tell({ pid: pid ?? 0 }));
  supervisor.start(Number(processes));
  const told = new Promise<undefined>((resolve) => process.once('SIGTERM', () => resolve(undefined)));
  const failure = await Promise.race([told, supervisor.failure]);
  await supervisor.stop();
  if (failure) console.error(failure.message);
  process.exit(failure ? (failure.exitCode ?? 255) : 0);
}

async function serve(): Promise<void> {
  // The supervisor needs none of it.
  const { koaApp } = await import('../../src/server/app.js');
  const { createDeps } = await import('../../src/server/create-deps.js');
  const alertFile = path.join(graphs, 'alerts.json');
  const more = JSON.parse(process.env.CLUSTER_FLAGS ?? '{}');
  const flags = { graphs, alertFile, insecure: true, workers: Math.max(1, Number(processes)), ...more };
  const { config } = resolveServerConfig({ flags, environment: {}, basePath: '.' });
  const supervisor = cluster.isWorker ? new SupervisorConnection() : undefined;
  const maker = process.env.CLUSTER_MAKER === 'addon' ? await addonMaker() : TEXT_GRAPHS;
  const deps = createDeps(config, logger, maker, supervisor);
  const app = koaApp(deps);
  app.middleware.unshift((ctx, next) => {
    ctx.set('X-Process', String(process.pid));
    return next();
  });
  if (supervisor) await deps.registry.start(() => joinOthers(deps, supervisor));
  else await startRouters(deps);
  await deps.shared.values.open();
  await deps.hostControl?.begin();
  const server = await listen(app, { address: '127.0.0.1', port: 0 });
  const alone = app.listen({ host: '127.0.0.1', port: 0, exclusive: true }, () => {
    const address = alone.address();
    if (address !== null && typeof address !== 'string') {
      tell({ pid: process.pid, port: address.port, shared: server.port });
    }
  });
  process.once('SIGTERM', () => {
    alone.close();
    void server.close(1000).then(() => (supervisor ? supervisor.leave() : process.exit(0)));
  });
}

if (cluster.isPrimary && processes !== '0') await supervise();
else await serve().catch((error: Error) => reportFailure(error.message, 3));
