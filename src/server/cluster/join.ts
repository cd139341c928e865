/** How a serving process becomes one of several. */

import { AggregatorRegistry } from 'prom-client';
import { loadFirstRouters, onceForAll } from '../../registry/start.js';
import type { ServerParts } from '../create-deps.js';
import type { SupervisorConnection } from './supervisor-connection.js';

/** Brings the process up to date. The first process loads the routers of the start; the others wait until it has. */
export async function joinOthers(parts: ServerParts, supervisor: SupervisorConnection): Promise<void> {
  const { own } = parts.shared;
  AggregatorRegistry.setRegistries([parts.metrics.registry]);
  new AggregatorRegistry(); // answers the supervisor's questions from now on
  await supervisor.join((name, text) => own.take(name, text));
  await onceForAll(own, () => loadFirstRouters(parts));
}
