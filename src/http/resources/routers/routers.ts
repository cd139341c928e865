/** GET /routers and GET /routers/{routerId}: the served graphs and where they are. */

import type { Context } from 'koa';
import { graphInfo } from '../../../native/graph-info.js';
import type { GraphInfo } from '../../../native/types.js';
import type { Router } from '../../../registry/router.js';
import {
  presentRouter,
  presentRouterList,
  presentServiceDays,
  ROUTER_LIST_ROOT,
  ROUTER_ROOT,
} from '../../../serialization/router-info.js';
import type { LiveRouters } from '../../../updaters/live-routers.js';
import { JSON_OR_XML } from '../../answers/negotiation.js';
import { respond, respondJson } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import type { Route } from '../../route.js';

export const routerInfoRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers',
    handler: listRouters,
    summary: 'List the registered routers with their bounds',
    answer: 'RouterList',
    tag: 'Routers',
    produces: JSON_OR_XML,
  },
  {
    method: 'GET',
    path: '/routers/:routerId',
    handler: describeRouter,
    summary: 'Describe one router: bounds, service period, modes',
    answer: 'RouterInfo',
    tag: 'Routers',
    produces: JSON_OR_XML,
  },
  {
    method: 'GET',
    path: '/routers/:routerId/serviceDays',
    handler: serviceDays,
    summary: 'Number of scheduled trips of each day, and the time zone of the graph',
    answer: 'ServiceDays',
    tag: 'Routers',
  },
];

async function serviceDays(ctx: Context, { registry }: HandlerDeps): Promise<void> {
  const days = await registry.use(ctx.params.routerId, ({ graph }) =>
    presentServiceDays(graphInfo(graph).timeZone, graph.serviceDays() ?? undefined),
  );
  respondJson(ctx, days);
}

function listRouters(ctx: Context, { registry, live }: HandlerDeps): void {
  const routers = registry.list().map((router) => [router.id, present(router, live)] as const);
  respond(ctx, ROUTER_LIST_ROOT, presentRouterList(routers));
}

/** The answer uses the router id of the request, even `default`. */
async function describeRouter(ctx: Context, { registry, live }: HandlerDeps): Promise<void> {
  const info = await registry.use(ctx.params.routerId, (router) => present(router, live));
  respond(ctx, ROUTER_ROOT, presentRouter(ctx.params.routerId, info));
}

/** Facts of the graph; rental stations and bike parks of feeds count like those of the map. */
function present(router: Router, live: LiveRouters): GraphInfo {
  const info = graphInfo(router.graph);
  const data = live.of(router);
  return {
    ...info,
    hasBikeSharing: info.hasBikeSharing || data?.hasLiveBikes() === true,
    hasBikePark: info.hasBikePark || (data?.parks().length ?? 0) > 0,
  };
}
