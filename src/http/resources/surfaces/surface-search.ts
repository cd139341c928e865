/** The searches of POST /surfaces: one, or one for each object of a list in the body. */

import type { Context } from 'koa';
import { MOST_SURFACES, type SearchedSurface } from '../../../analysis/surface-store.js';
import { HttpError } from '../../../http-error.js';
import type { PlanRequest, SearchOptions } from '../../../native/types.js';
import type { Router } from '../../../registry/router.js';
import type { HandlerDeps } from '../../deps.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { ROUTER, ROUTING } from '../../params/descriptions.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import { Query } from '../../params/query.js';
import { secondsOf } from '../../params/seconds.js';
import { isObject, parseJson, readText } from '../../request/small-body.js';
import { useRouter } from '../../request/use-router.js';
import type { SearchCost } from '../../route.js';
import { analysisRequest } from '../analysis-request.js';
import { WINDOW } from './window-surfaces.js';

/** Parameters of a surface. */
export const SURFACE = {
  ...ROUTER,
  ...parameters({
    cutoffMinutes: parameter.integer('Longest time, minutes', { default: 90 }),
    batch: parameter.boolean('Required unless `toPlace` is given', { default: false }),
  }),
  ...WINDOW,
  ...ROUTING,
};

/** The queries: the query itself, or the query with the members of each object of the list in the body. */
export async function surfaceQueries(ctx: Context, query: Query, maxBytes: number): Promise<Query | Query[]> {
  const list = ctx.is('json') ? readList(await readText(ctx, maxBytes)) : undefined;
  if (list === undefined) return query;
  if (list.length > MOST_SURFACES) throw new HttpError(413, `more than ${MOST_SURFACES} surfaces in one request\n`);
  return list.map((members, i) => {
    if (!isObject(members)) throw new HttpError(400, `surface ${i + 1}: an object with parameters is required\n`);
    const merged = new URLSearchParams(ctx.querystring);
    for (const [name, value] of Object.entries(members)) {
      if (isObject(value))
        throw new HttpError(400, `surface ${i + 1}: ${name}: must be a single value, not an object\n`);
      if (Array.isArray(value) && value.some((item) => isObject(item) || Array.isArray(item))) {
        throw new HttpError(400, `surface ${i + 1}: ${name}: must be a list of single values\n`);
      }
      // Programs write null for what they leave out.
      if (value !== null) merged.set(name, String(value));
    }
    return new Query(merged.toString());
  });
}

/** The cost of making surfaces: a window, or a list in the body, needs many searches. */
export function surfacesCost(ctx: Context): SearchCost {
  const isWindow = new URLSearchParams(ctx.querystring).has('window');
  return isWindow || ctx.is('json') ? 'long search' : 'search';
}

/** The list in a body; `undefined` for any other JSON, which has no meaning here. */
function readList(text: string): unknown[] | undefined {
  const value = text.trim() === '' ? undefined : parseJson(text);
  return Array.isArray(value) ? value : undefined;
}

/** Longest time of a surface, seconds. */
export function cutoffOf(query: Query): number {
  return secondsOf(query.value(SURFACE.cutoffMinutes), 'minutes');
}

/** The request of a surface. It has no destination, and the query has to say so. */
export function surfaceRequest(query: Query, router: Router): PlanRequest {
  if (!query.value(SURFACE.batch) && query.given(SURFACE.toPlace) === undefined) {
    throw new BadParameter('batch', 'must be true unless toPlace is given');
  }
  return analysisRequest(query, router);
}

export async function searchSurface(query: Query, deps: HandlerDeps, search: SearchOptions): Promise<SearchedSurface> {
  const cutoffSeconds = cutoffOf(query);
  return useRouter(deps, query.given(SURFACE.routerId), query, async (router) => {
    const request = surfaceRequest(query, router);
    const times = await router.graph.surface(request, { cutoffSeconds }, search);
    return { params: query.firstValues(), router, request, times };
  });
}

/** Searches surfaces one after the other. Keeps none if one cannot be searched, or if they take too much memory. */
export async function searchSurfaces(
  queries: readonly Query[],
  deps: HandlerDeps,
  search: () => SearchOptions,
): Promise<SearchedSurface[]> {
  const made: SearchedSurface[] = [];
  try {
    for (const query of queries) {
      if (query.raw(SURFACE.window)) throw new BadParameter('window', 'cannot be used in a list of surfaces');
      made.push(await searchSurface(query, deps, search()));
      deps.surfaces.requireRoom(made);
    }
    return made;
  } catch (error) {
    for (const { times } of made) times.dispose();
    const where = `surface ${made.length + 1}: `;
    if (error instanceof HttpError) throw new HttpError(error.status, where + error.text, error.headers);
    if (error instanceof Error) error.message = where + error.message;
    throw error;
  }
}
