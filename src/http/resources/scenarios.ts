/** Scenarios of a router: changes of its schedule that searches can use. */

import type { Context } from 'koa';
import { HttpError } from '../../http-error.js';
import { UnusableScenario } from '../../scenarios/scenario.js';
import { SCENARIO_SCHEMA } from '../../scenarios/scenario-fields.js';
import { isLegalScenarioId, MAX_SCENARIO_BYTES, TooManyScenarios } from '../../scenarios/scenario-store.js';
import { presentScenario } from '../../serialization/scenario.js';
import { JSON_ONLY, TEXT_ONLY } from '../answers/negotiation.js';
import { refuseUnquoted, respondJson, respondText } from '../answers/respond.js';
import type { HandlerDeps } from '../deps.js';
import { parameter, parameters } from '../params/parameter-schema.js';
import { readText } from '../request/small-body.js';
import { routesWith } from '../route.js';

/**
 * Parameters that other servers of this interface have. They have no effect here, because answers are always complete.
 */
const IGNORED = parameters({
  detail: parameter.boolean('Accepted, without effect'),
  refs: parameter.boolean('Accepted, without effect'),
});

export const scenarioRoutes = routesWith({ tag: 'Scenarios' }, [
  {
    method: 'GET',
    path: '/routers/:routerId/scenarios',
    handler: list,
    summary: 'List the scenarios of a router: descriptions by id',
    answer: 'ScenarioList',
    query: IGNORED,
  },
  {
    method: 'GET',
    path: '/routers/:routerId/scenarios/:scenarioId',
    handler: describe,
    summary: 'Describe one scenario, with the outcome of its modifications',
    jsonRefusals: 'unquoted text',
    answer: 'Scenario',
    query: IGNORED,
  },
  {
    method: 'PUT',
    path: '/routers/:routerId/scenarios/:scenarioId',
    handler: put,
    summary: 'Create or replace a scenario',
    answer: 'Scenario',
    consumes: JSON_ONLY,
    body: SCENARIO_SCHEMA,
    role: 'ROUTERS',
  },
  {
    method: 'DELETE',
    path: '/routers/:routerId/scenarios/:scenarioId',
    handler: remove,
    summary: 'Remove a scenario',
    jsonRefusals: 'unquoted text',
    produces: TEXT_ONLY,
    role: 'ROUTERS',
  },
]);

function respondNone(ctx: Context): void {
  refuseUnquoted(ctx, 'FOUR ZERO FOUR');
}

async function list(ctx: Context, { registry, scenarios }: HandlerDeps): Promise<void> {
  await registry.use(ctx.params.routerId, async (router) => {
    const store = await scenarios.storeOf(router);
    const described: Record<string, string> = {};
    for (const id of await store.ids()) {
      const found = await readable(store.get(id));
      if (found !== undefined) described[id] = typeof found === 'string' ? found : found.scenario.description;
    }
    respondJson(ctx, described);
  });
}

/** A file that was damaged by hand is listed with its error. */
function readable<T>(found: Promise<T>): Promise<T | string> {
  return found.catch((error: unknown) => {
    if (error instanceof UnusableScenario) return `unusable: ${error.message}`;
    throw error;
  });
}

async function describe(ctx: Context, { registry, scenarios }: HandlerDeps): Promise<void> {
  const { routerId, scenarioId } = ctx.params;
  await registry.use(routerId, async (router) => {
    const found = await readable((await scenarios.storeOf(router)).get(scenarioId));
    if (found === undefined) return respondNone(ctx);
    if (typeof found === 'string') throw new HttpError(400, `${found}\n`);
    const reports = await scenarios.use(router, scenarioId, ({ graph }) => graph.modificationReports());
    respondJson(ctx, presentScenario(found.id, found.scenario, reports?.value ?? []));
  });
}

async function put(ctx: Context, { registry, scenarios, config }: HandlerDeps): Promise<void> {
  const { routerId, scenarioId } = ctx.params;
  if (!isLegalScenarioId(scenarioId)) {
    throw new HttpError(
      400,
      'illegal scenario id: at most 64 letters, digits, _ and -, and dots between them, are allowed\n',
    );
  }
  const text = await readText(ctx, Math.min(config.maxBodyBytes, MAX_SCENARIO_BYTES));
  await registry.use(routerId, async (router) => {
    const { scenario, reports, stored } = await scenarios.put(router, scenarioId, text).catch(refuse);
    if (stored === undefined) {
      const wrong = reports.flatMap(({ error }, i) => (error ? [`modifications[${i}]: ${error}\n`] : []));
      throw new HttpError(400, wrong.join(''));
    }
    respondJson(ctx, presentScenario(scenarioId, scenario, reports));
    ctx.status = stored === 'new' ? 201 : 200;
  });
}

/** Reports mistakes of the sender as client errors. */
function refuse(error: unknown): never {
  const { code, message } = error as { code?: string; message: string };
  if (error instanceof UnusableScenario || code === 'INVALID_REQUEST') throw new HttpError(400, `${message}\n`);
  if (error instanceof TooManyScenarios) throw new HttpError(409, `${message}\n`);
  throw error;
}

async function remove(ctx: Context, { registry, scenarios }: HandlerDeps): Promise<void> {
  const { routerId, scenarioId } = ctx.params;
  await registry.use(routerId, async (router) => {
    if (await scenarios.remove(router, scenarioId)) respondText(ctx, 200, 'scenario deleted.\n');
    else respondNone(ctx);
  });
}
