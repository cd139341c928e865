/** GET /routers/{routerId}/profile: options between two places over a window of departures. */

import type { Context } from 'koa';
import { graphInfo } from '../native/graph-info.js';
import { profileDocument } from '../serialization/profile.js';
import type { AppDeps } from '../server/deps.js';
import { clientGone } from './client-gone.js';
import { PROFILE_PARAMETERS, profileQuery } from './params/profile-request.js';
import { Query } from './params/query.js';
import { respondJson } from './respond.js';
import type { Route } from './route.js';

/** The rows of the route table. */
export const profileRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/profile',
    handler: profile,
    summary: 'Options between two places over a window of departures: least, average and longest times',
    tag: 'Analysis',
    produces: ['application/json'],
    cost: 'search',
    query: PROFILE_PARAMETERS,
  },
];

/** Longest search, milliseconds. */
const DEADLINE_MS = 20_000;

async function profile(ctx: Context, { registry }: AppDeps): Promise<void> {
  const query = new Query(ctx.querystring);
  const options = await registry.use(ctx.params.routerId, ({ graph }) => {
    const { request } = profileQuery(query, graphInfo(graph).timeZone, Date.now());
    return graph.profile(request, { deadlineMs: DEADLINE_MS, signal: clientGone(ctx) });
  });
  respondJson(ctx, profileDocument(options));
}
