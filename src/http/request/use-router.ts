/** The router that a search uses. */

import { quoted } from '../../quoted.js';
import type { Router } from '../../registry/router.js';
import { UnusableScenario } from '../../scenarios/scenario.js';
import type { HandlerDeps } from '../deps.js';
import { BadParameter } from '../params/bad-parameter.js';
import { SCENARIO } from '../params/descriptions.js';
import type { Query } from '../params/query.js';

/**
 * Runs `work` with a router, under the scenario in the parameter `scenario`. The graph stays open until `work` ends.
 * Throws `RouterNotFoundError`, `BusyError`, and `BadParameter` for an unknown scenario.
 */
export async function useRouter<T>(
  deps: Pick<HandlerDeps, 'registry' | 'scenarios'>,
  routerId: string | undefined,
  query: Query,
  work: (router: Router) => T | Promise<T>,
): Promise<T> {
  return deps.registry.use(routerId, (router) => underScenario(deps, router, query, work));
}

/**
 * Runs `work` with a router that the caller holds, under the scenario in the parameter `scenario`. Throws
 * `BadParameter` for an unknown scenario.
 */
export async function underScenario<T>(
  { scenarios }: Pick<HandlerDeps, 'scenarios'>,
  router: Router,
  query: Query,
  work: (router: Router) => T | Promise<T>,
): Promise<T> {
  const id = query.given(SCENARIO.scenario);
  if (id === undefined) return work(router);
  const done = await scenarios.use(router, id, work).catch((error: unknown) => {
    if (error instanceof UnusableScenario) throw new BadParameter('scenario', error.message);
    throw error;
  });
  if (done === undefined) throw new BadParameter('scenario', `there is no scenario ${quoted(id)}`);
  return done.value;
}
