/** Plans in GraphQL answers: the same requests as those of the plan resource. */

import type { PlannedTrip } from '../../../graphql/plan-entities.js';
import type { Graph, SearchOptions } from '../../../native/types.js';
import type { Router } from '../../../registry/router.js';
import { type PlanAnswer, presentPlanAnswer } from '../../../serialization/plan-response.js';
import type { HandlerDeps } from '../../deps.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { PLAN } from '../../params/descriptions.js';
import { withPlanLimits } from '../../params/plan-limits.js';
import { Query } from '../../params/query.js';
import { requestNow } from '../../params/routing-request.js';
import { underScenario } from '../../request/use-router.js';

/** What the plans of one query share. */
interface Planner {
  readonly deps: HandlerDeps;
  readonly router: Router;
  /** The graph of the router, as the whole query reads it. */
  readonly present: Graph;
  readonly snapshotOf: (graph: Graph) => Graph;
}

/** Arguments are written as the query string of the plan resource, so that both mean the same. */
export async function planTrip(
  parameters: Readonly<Record<string, unknown>>,
  planner: Planner,
  options: SearchOptions,
): Promise<PlannedTrip> {
  const query = Query.of(parameters);
  const geoidElevation = query.value(PLAN.geoidElevation);
  const { outcome, graph } = await planOutcome(query, planner, options);
  const presented = presentPlanAnswer({ parameters: {}, geoidElevation }, outcome);
  return { answer: { itineraries: [], ...presented.plan, error: presented.error }, graph };
}

async function planOutcome(
  query: Query,
  { deps, router, present, snapshotOf }: Planner,
  options: SearchOptions,
): Promise<{ outcome: PlanAnswer; graph: Graph }> {
  try {
    const request = withPlanLimits(requestNow(query, router.graph, router.config));
    return await underScenario(deps, router, query, async ({ graph: requested }) => {
      const graph = requested === router.graph ? present : snapshotOf(requested);
      return { outcome: await graph.plan(request, options), graph };
    });
  } catch (error) {
    if (!(error instanceof BadParameter)) throw error;
    return { outcome: { error: { code: error.planError, reason: error.reason, missing: [] } }, graph: present };
  }
}
