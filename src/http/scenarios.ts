/** Scenarios of a router. There are none yet: what cannot be done is said, not pretended. */

import type { Context } from 'koa';
import type { AppDeps } from '../server/deps.js';
import { HttpError } from './errors.js';
import { respondJson, respondText } from './respond.js';
import type { Route } from './route.js';

const TAG = 'Scenarios';
const JSON_ONLY = ['application/json'];

/** The rows of the route table about scenarios. */
export const scenarioRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/scenarios',
    handler: listScenarios,
    summary: 'List the scenarios of a router',
    tag: TAG,
    produces: JSON_ONLY,
  },
  {
    method: 'GET',
    path: '/routers/:routerId/scenarios/:scenarioId',
    handler: describeScenario,
    summary: 'Describe one scenario',
    tag: TAG,
    produces: JSON_ONLY,
  },
  {
    method: 'PUT',
    path: '/routers/:routerId/scenarios/:scenarioId',
    handler: refuseScenario,
    summary: 'Not supported: scenarios cannot be created',
    tag: TAG,
    role: 'ROUTERS',
  },
  {
    method: 'DELETE',
    path: '/routers/:routerId/scenarios/:scenarioId',
    handler: describeScenario,
    summary: 'Delete a scenario',
    tag: TAG,
    role: 'ROUTERS',
  },
];

async function listScenarios(ctx: Context, { registry }: AppDeps): Promise<void> {
  await registry.use(ctx.params.routerId, () => respondJson(ctx, {}));
}

async function describeScenario(ctx: Context, { registry }: AppDeps): Promise<void> {
  await registry.use(ctx.params.routerId, () => respondText(ctx, 404, 'FOUR ZERO FOUR'));
}

function refuseScenario(): never {
  throw new HttpError(501, 'this server cannot create scenarios yet\n');
}
