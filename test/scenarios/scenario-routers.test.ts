/** The changed graphs of scenarios while their routers are reloaded. */

import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Router } from '../../src/registry/router.js';
import { ScenarioRouters } from '../../src/scenarios/scenario-routers.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** A router whose graph counts the changed graphs that are not yet disposed of. */
async function served(t: ExecutionContext) {
  const file = path.join(await temporaryDirectory(t), 'Graph.obj');
  const open = new Set<object>();
  const withScenario = async () => {
    const changed = { modificationReports: () => [], dispose: () => open.delete(changed) };
    open.add(changed);
    return changed;
  };
  const router = { id: 'r', generation: 1, graph: { withScenario }, config: {} } as unknown as Router;
  return { router, open, scenarios: new ScenarioRouters(() => file) };
}

const text = (description: string) => JSON.stringify({ description, modifications: [] });

test('a scenario stays open for its request when it is replaced while its router is reloaded', async (t) => {
  const { router, open, scenarios } = await served(t);
  await scenarios.put(router, 'bus', text('first'));
  await scenarios.use(router, 'bus', async ({ graph }) => {
    const replaced = scenarios.put(router, 'bus', text('second'));
    scenarios.released(router);
    t.is((await replaced).stored, 'replaced');
    t.true(open.has(graph));
  });
  t.is(open.size, 0);
});
