/** A router with an updater of rental stations. */

import type { ExecutionContext } from 'ava';
import { FakeGraph } from './fake-graph.js';
import { startApp } from './test-app.js';

/** Serves a router whose updater has these settings and asks all the time. */
export async function serveRental(t: ExecutionContext, updater: Record<string, unknown>, graph = new FakeGraph()) {
  const config = { updaters: [{ type: 'bike-rental', frequencySec: 0.02, ...updater }] as never };
  const app = await startApp(t, [{ id: 'r', graph, config }]);
  t.teardown(() => app.deps.registry.evictAll());
  const stations = async (): Promise<any[]> => (await app.json('/routers/r/bike_rental')).stations;
  const status = async () => (await app.json('/routers/r/updaters/status')).updaters[0];
  return { app, stations, status };
}
