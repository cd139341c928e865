/**
 * GET /routers/{routerId}/profile: options between two places over a window of departures. With `analyst`: the least,
 * average and longest times to everywhere.
 */

import type { Context } from 'koa';
import type { PlanRequest, ProfileMode, ProfileRequest, SearchOptions } from '../../../native/types.js';
import type { Router } from '../../../registry/router.js';
import { profileDocument } from '../../../serialization/profile.js';
import { respondLargeJson } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { parseModes } from '../../params/modes.js';
import type { Query } from '../../params/query.js';
import { searchOptions } from '../../request/searches.js';
import { useRouter } from '../../request/use-router.js';
import type { Route } from '../../route.js';
import { requireAnalyst } from '../analysis-request.js';
import { storeWindowSurfaces } from '../surfaces/window-surfaces.js';
import { PROFILE, type ProfileQuery, profileQuery } from './profile-request.js';

export const profileRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/profile',
    handler: profile,
    summary:
      'Options between two places over a window of departures; with `analyst` surfaces of least to longest times',
    answer: 'ProfileAnswer',
    tag: 'Analysis',
    cost: 'long search',
    query: PROFILE,
  },
];

async function profile(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const search = searchOptions(ctx);
  const answer = await useRouter(deps, ctx.params.routerId, query, async (router) => {
    const requested = profileQuery(query, router.graph, Date.now());
    if (requested.analyst) return storeAnalysis(deps, router, requested, query, search);
    return profileDocument(await router.graph.profile(requested.request, search));
  });
  await respondLargeJson(ctx, answer);
}

const STATISTICS = ['min', 'avg', 'max'];

/** Searches to everywhere; answers with the ids of the surfaces. */
async function storeAnalysis(
  deps: HandlerDeps,
  router: Router,
  requested: ProfileQuery,
  query: Query,
  search: SearchOptions,
): Promise<{ min: number; avg: number; max: number }> {
  requireAnalyst(deps);
  const { request } = requested;
  const access = analysedAccess(request);
  const options = {
    cutoffSeconds: Math.floor((request.streetSeconds ?? 0) / 60) * 60,
    windowSeconds: Math.max(1, Math.ceil((request.toEpoch - request.fromEpoch) / 60)) * 60,
    maxStopSeconds: longestAccess(request, access),
    statistics: STATISTICS,
  };
  const made = { router, request: analysedTrip(requested, access), options, params: query.firstValues() };
  const stored = await storeWindowSurfaces(deps, made, search);
  const [min = -1, avg = -1, max = -1] = stored.map(({ id }) => id);
  return { min, avg, max };
}

/** How an analysis reaches the first stops: on foot if that is one of the access modes, else by the first of them. */
function analysedAccess({ accessModes = [] }: ProfileRequest): ProfileMode {
  return accessModes.includes('WALK') ? 'WALK' : (accessModes[0] ?? 'WALK');
}

/** Longest time to a stop in a mode, seconds. */
function longestAccess({ walkSeconds, bikeSeconds, carSeconds }: ProfileRequest, access: ProfileMode) {
  if (access === 'WALK') return walkSeconds;
  return access.startsWith('CAR') ? carSeconds : bikeSeconds;
}

function analysedTrip({ request, bannedAgency }: ProfileQuery, access: ProfileMode): PlanRequest {
  const { transitModes = [] } = request;
  return {
    from: request.from,
    to: {},
    epochSeconds: request.fromEpoch,
    ...parseModes([...transitModes, access].join(',')),
    walkSpeed: request.walkSpeed,
    bikeSpeed: request.bikeSpeed,
    bannedAgencies: bannedAgency === undefined ? [] : [bannedAgency],
    ignoreRealtime: true,
  };
}
