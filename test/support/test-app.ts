/** The real application on a free port, over graphs that are given instead of loaded. */

import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import { EMPTY_ROUTER_CONFIG, type RouterConfig } from '../../src/config/router-config.js';
import { resolveServerConfig } from '../../src/config/server-config.js';
import type { Graph } from '../../src/native/types.js';
import type { GraphSource } from '../../src/registry/graph-source.js';
import { RouterRegistry } from '../../src/registry/registry.js';
import { createApp } from '../../src/server/app.js';
import type { AppDeps } from '../../src/server/deps.js';
import { listen } from '../../src/server/listen.js';

/** Speaks HTTP to a running application. */
export interface TestApp {
  /** Everything below the mount, for example `http://127.0.0.1:1234/otp`. */
  readonly base: string;
  /** GET below the mount. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Any request below the mount. */
  request(path: string, init: RequestInit): Promise<Response>;
  /** The parsed body of a GET. */
  json(path: string): Promise<any>;
}

/** Registers `graph` under a router id. */
export interface ServedRouter {
  id: string;
  graph: Graph;
  config?: Partial<RouterConfig>;
}

/** Starts the application; it ends with the test. */
export async function startApp(
  t: Pick<ExecutionContext, 'teardown'>,
  routers: readonly ServedRouter[],
): Promise<TestApp> {
  const registry = new RouterRegistry<Graph>({
    defaultRouterId: routers[0]?.id ?? '',
    anyRouterAsDefault: false,
    loadWaitMs: 1000,
  });
  for (const router of routers) {
    await registry.load(router.id, given(router), { preEvict: false, evictOnFailure: true });
  }
  const { config } = resolveServerConfig({ flags: {}, environment: {}, basePath: '.' });
  const app = createApp({ config, registry, logger: pino({ level: 'silent' }) } as unknown as AppDeps);
  const server = await listen(app, { address: '127.0.0.1', port: 0 });
  t.teardown(() => server.close(0));
  const base = `http://127.0.0.1:${server.port}/otp`;
  return {
    base,
    get: (path, headers = {}) => fetch(base + path, { headers }),
    request: (path, init) => fetch(base + path, init),
    json: async (path) => (await fetch(base + path)).json(),
  };
}

function given({ graph, config }: ServedRouter): GraphSource<Graph> {
  return {
    file: '(given)',
    kind: 'sent',
    open: async () => ({ graph, config: { ...EMPTY_ROUTER_CONFIG, ...config }, warnings: [] }),
    stamp: async () => undefined,
    discard: async () => {},
  };
}
