/** Stops without failing requests: no new connections, running requests end, then the rest is cut off. */

import type { Logger } from 'pino';
import { within } from '../within.js';
import type { Connections } from './connections.js';

/** Time after the end of all work until the process is ended by force, if something still keeps it alive. */
const LONGEST_END_MS = 5000;

/** Whether the server is about to stop, which load balancers see in `/health/ready`. */
export class Draining {
  #begun = false;

  /** True from the moment a signal told the server to stop. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Marks the server as stopping. */
  begin(): void {
    this.#begun = true;
  }
}

/**
 * Closes the ports: idle connections at once, busy ones when their answers have gone out, all after `drainMs`.
 * Resolves true when every request had its answer.
 */
export async function drain(ports: readonly Connections[], draining: Draining, drainMs: number): Promise<boolean> {
  draining.begin();
  const closed = Promise.all(ports.map((port) => port.stop()));
  if ((await within(closed, drainMs)) !== undefined) return true;
  for (const port of ports) port.cut();
  return false;
}

/** Ends the process although something keeps it alive, and logs what; called when all work is done. */
export function endSoon(logger: Logger): void {
  setTimeout(() => {
    logger.error({ resources: process.getActiveResourcesInfo() }, 'something kept the process from ending');
    process.exit();
  }, LONGEST_END_MS).unref();
}
