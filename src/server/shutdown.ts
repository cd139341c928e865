/** Stopping without failing anyone: no new connections, running requests end, then the rest is cut off. */

import type { Server } from 'node:http';

/** Whether the server is about to stop; balancers see it in `/health/ready`. */
export class Draining {
  #begun = false;

  /** True from the moment the server was asked to stop. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Marks the server as stopping. */
  begin(): void {
    this.#begun = true;
  }
}

/**
 * Closes the servers: idle connections at once, busy ones after their answer, all after `drainMs`.
 * Resolves true when every request had its answer.
 */
export async function drain(servers: readonly Server[], draining: Draining, drainMs: number): Promise<boolean> {
  draining.begin();
  const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  for (const server of servers) server.closeIdleConnections();
  const sweep = setInterval(() => {
    for (const server of servers) server.closeIdleConnections();
  }, 100);
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<'expired'>((resolve) => {
    timer = setTimeout(() => resolve('expired'), drainMs);
  });
  const outcome = await Promise.race([closed, expired]);
  clearTimeout(timer);
  clearInterval(sweep);
  if (outcome !== 'expired') return true;
  for (const server of servers) server.closeAllConnections();
  return false;
}
