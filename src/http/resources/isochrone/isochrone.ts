/** GET /routers/{routerId}/isochrone, or /isochrone with a parameter for it: the area reached within given times. */

import type { Context } from 'koa';
import { cachingOfSearch } from '../../answers/caching.js';
import type { HandlerDeps } from '../../deps.js';
import { ROUTER, ROUTING } from '../../params/descriptions.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
import { searchOptions } from '../../request/searches.js';
import { useRouter } from '../../request/use-router.js';
import type { Route } from '../../route.js';
import { AREA, analysisRequest, gridCost, respondContours, sampledArea } from '../analysis-request.js';
import {
  FINE_DECIMALS,
  FORMATS,
  respondShapefile,
  SHAPEFILE,
  unnamedShapefile,
  wantsShapefile,
} from './shapefile-answer.js';

const PARAMETERS = {
  ...ROUTING,
  ...parameters({ cutoffSec: parameter.integer('Seconds; a feature for each of them', { repeatable: true }) }),
  ...AREA,
  ...SHAPEFILE,
};

const ISOCHRONE = {
  method: 'GET',
  handler: isochrone,
  summary: 'The area reached from a place within given times',
  answer: 'Isochrones',
  tag: 'Analysis',
  produces: [...(FORMATS.geojson ?? []), ...(FORMATS.shapefile ?? [])],
  headers: ['Content-Disposition'],
  cost: gridCost,
} as const;

export const isochroneRoutes: readonly Route[] = [
  { ...ISOCHRONE, path: '/routers/:routerId/isochrone', query: PARAMETERS },
  { ...ISOCHRONE, path: '/isochrone', query: { ...PARAMETERS, ...ROUTER } },
];

async function isochrone(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const zipped = wantsShapefile(ctx, query);
  const routerId: string | undefined = ctx.params.routerId ?? query.given(ROUTER.routerId);
  const contours = await useRouter(deps, routerId, query, (router) => {
    const request = analysisRequest(query, router);
    return router.graph.isochrone(request, contourOptions(query, zipped), searchOptions(ctx));
  });
  // The interface's order: the last cutoff first.
  contours.reverse();
  if (zipped) return respondShapefile(ctx, contours, query, { column: 'time', name: unnamedShapefile(query) });
  ctx.set('Cache-Control', cachingOfSearch(query));
  respondContours(ctx, contours);
}

function contourOptions(query: Query, zipped: boolean) {
  const cutoffs = query.all(PARAMETERS.cutoffSec);
  const area = sampledArea(query, query.given(AREA.maxTimeSec) ?? Math.max(0, ...cutoffs));
  return { area, cutoffs, decimals: zipped ? FINE_DECIMALS : decimalsFor(area.precisionM) };
}

/** Decimals of coordinates. Four decimals are 11 m, which is too coarse for grids that are finer than usual. */
function decimalsFor(precisionMeters: number): number {
  if (precisionMeters >= 100) return 4;
  return precisionMeters >= 25 ? 5 : 6;
}
