/** A server of several processes over text graphs: `node cluster-server.js GRAPHS PORT WORKERS`. */

import cluster from 'node:cluster';
import { pino } from 'pino';
import { resolveServerConfig } from '../../src/config/server-config.js';
import { startRouters } from '../../src/registry/start.js';
import { createApp } from '../../src/server/app.js';
import { Supervisor } from '../../src/server/cluster/supervisor.js';
import { joinCluster } from '../../src/server/cluster/worker-control.js';
import { createDeps } from '../../src/server/create-deps.js';
import { listen } from '../../src/server/listen.js';
import { TEXT_GRAPHS } from './text-graphs.js';

const [graphs = '.', port = '0', workers = '2'] = process.argv.slice(2);
const logger = pino({ level: 'silent' });

if (cluster.isPrimary) {
  const supervisor = new Supervisor(logger);
  supervisor.start(Number(workers));
  process.once('SIGTERM', () => supervisor.stop().then(() => process.exit(0)));
} else {
  const flags = { graphs, insecure: true, workers: Number(workers) };
  const { config } = resolveServerConfig({ flags, environment: {}, basePath: '.' });
  const { parts, control } = joinCluster(createDeps(config, logger, TEXT_GRAPHS));
  const app = createApp(parts);
  app.middleware.unshift((ctx, next) => {
    ctx.set('X-Process', String(process.pid));
    return next();
  });
  await startRouters({ config, registry: parts.registry, control: parts.localControl, logger });
  await control.catchUp();
  const server = await listen(app, { address: '127.0.0.1', port: Number(port) });
  process.once('SIGTERM', () => server.close(1000).then(() => control.leave()));
}
