/** GET /routers/{routerId}/plan */

import type { Context } from 'koa';
import type { Logger } from 'pino';
import { RouterNotFoundError } from '../../../http-error.js';
import type { SearchOptions } from '../../../native/types.js';
import type { Router } from '../../../registry/router.js';
import type { SentPlanError } from '../../../serialization/plan-error.js';
import { PLAN_ROOT, type PlanAnswer, presentPlanAnswer } from '../../../serialization/plan-response.js';
import { JSON_OR_XML } from '../../answers/negotiation.js';
import { respond } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { PLAN } from '../../params/descriptions.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import { withPlanLimits } from '../../params/plan-limits.js';
import type { Query } from '../../params/query.js';
import { requestNow } from '../../params/routing-request.js';
import { searchOptions } from '../../request/searches.js';
import { useRouter } from '../../request/use-router.js';
import type { Route } from '../../route.js';
import { appendPlanLog, planLogLine } from './plan-log.js';

const BATCH = parameters({
  batch: parameter.boolean('Asks for travel times to everywhere, which `plan` does not give: `PATH_NOT_FOUND`', {
    default: false,
  }),
});

export const planRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/plan',
    handler: plan,
    summary: 'Plan trips between two places',
    answer: 'PlanAnswer',
    tag: 'Planning',
    produces: JSON_OR_XML,
    cost: 'search',
    query: { ...PLAN, ...BATCH },
  },
];

/** The sender of a plan request. */
interface PlanSender {
  /** Client address, for the log. */
  readonly address: string;
  readonly search: SearchOptions;
}

async function plan(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  // The answer contains the times of the search itself, so every answer is different.
  ctx.state.untagged = true;
  const sender = { address: ctx.state.origin.address, search: searchOptions(ctx) };
  respond(ctx, PLAN_ROOT, await answerPlan(deps, ctx.params.routerId, query, sender));
}

/** The answer to a plan request. If there is no trip, the answer is an error object and not an HTTP error. */
export async function answerPlan(deps: HandlerDeps, routerId: string | undefined, query: Query, sender: PlanSender) {
  const { logger } = deps;
  const answer = await useRouter(deps, routerId, query, (router) => search(router, query, sender, logger)).catch(
    (error: unknown) => unplanned(error),
  );
  if (answer.error) logger.debug({ error: answer.error }, 'no plan');
  const geoidElevation = query.value(PLAN.geoidElevation);
  return presentPlanAnswer({ parameters: query.firstValues(), geoidElevation }, answer);
}

async function search(router: Router, query: Query, sender: PlanSender, logger: Logger): Promise<PlanAnswer> {
  const clocks = router.graph;
  const atMs = Date.now();
  const request = withPlanLimits(requestNow(query, clocks, router.config));
  if (query.value(BATCH.batch)) {
    return noPlan('PATH_NOT_FOUND', 'plan does not support batch=true (travel times to everywhere)');
  }
  const outcome = await router.graph.plan(request, sender.search);
  const { requestLogFile } = router.config;
  if (requestLogFile !== undefined) {
    const line = planLogLine(request, outcome, { address: sender.address, atMs, clocks });
    appendPlanLog(requestLogFile, line).catch((error) => logger.error({ err: error }, 'request log not written'));
  }
  return outcome;
}

/** The answer when the search could not start; other errors are server failures. */
function unplanned(error: unknown): PlanAnswer {
  if (error instanceof BadParameter) return noPlan(error.planError, `${error.parameter}: ${error.reason}`);
  if (error instanceof RouterNotFoundError) return noPlan('GRAPH_UNAVAILABLE', error.text.trim());
  throw error;
}

function noPlan(code: SentPlanError, reason: string): PlanAnswer {
  return { error: { code, reason, missing: [] } };
}
