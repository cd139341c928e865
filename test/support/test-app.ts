/** The real application on a free port, with given graphs instead of loaded ones. */

import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import { EMPTY_ROUTER_CONFIG, type RouterConfig } from '../../src/config/router-config.js';
import { resolveServerConfig, type ServerFlags } from '../../src/config/server-config.js';
import type { Graph } from '../../src/native/types.js';
import type { GraphMaker, GraphSource } from '../../src/registry/graph-source.js';
import { koaApp } from '../../src/server/app.js';
import { createDeps, type ServerParts } from '../../src/server/create-deps.js';
import { listen } from '../../src/server/listen.js';

/** Speaks HTTP to a running application. */
export interface TestApp {
  /** Everything below the mount, for example `http://127.0.0.1:1234/otp`. */
  readonly base: string;
  /** The parts of the running application. */
  readonly deps: ServerParts;
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
  /** Its file; other files of the router are beside it. */
  file?: string;
  config?: Partial<RouterConfig>;
  /** Names what its file contains; hosts share surfaces of equal ones. */
  content?: string;
}

/** What a test may set up differently. */
export interface TestOptions {
  flags?: ServerFlags;
  environment?: Record<string, string>;
  /** Opens and builds graphs; by default neither is possible. */
  maker?: GraphMaker;
}

const NO_GRAPHS: GraphMaker = {
  open: () => Promise.reject(new Error('this test opens no graphs')),
  build: () => Promise.reject(new Error('this test builds no graphs')),
};

/** Starts the application; it ends with the test. */
export async function startApp(
  t: Pick<ExecutionContext, 'teardown'>,
  routers: readonly ServedRouter[],
  { flags = {}, environment = {}, maker = NO_GRAPHS }: TestOptions = {},
): Promise<TestApp> {
  const named = { routers: routers.map(({ id }) => id), loadWaitMs: 1000 };
  const { config } = resolveServerConfig({ flags: { ...named, ...flags }, environment, basePath: '.' });
  const deps = createDeps(config, pino({ level: 'silent' }), maker);
  for (const router of routers) {
    await deps.registry.load(router.id, given(router), { preEvict: false, evictOnFailure: true });
  }
  const server = await listen(koaApp(deps), { address: '127.0.0.1', port: 0 });
  t.teardown(() => server.close(0));
  const base = `http://127.0.0.1:${server.port}/otp`;
  return {
    base,
    deps,
    get: (path, headers = {}) => fetch(base + path, { headers }),
    request: (path, init) => fetch(base + path, init),
    json: async (path) => (await fetch(base + path)).json(),
  };
}

function given({ graph, file, config, content }: ServedRouter): GraphSource {
  return {
    // Scenarios would be written beside it.
    file: file ?? path.join(tmpdir(), `${randomUUID()}.obj`),
    kind: 'file',
    open: async () => ({ graph, config: { ...EMPTY_ROUTER_CONFIG, ...config }, warnings: [], content }),
    served: undefined,
    discard: async () => {},
  };
}
