/** GET /routers/{routerId}/simpleIsochrone: the ground around stops in the best of many departures. */

import type { Context } from 'koa';
import { analysisRequest, respondContours } from './analysis-request.js';
import type { HandlerDeps } from './deps.js';
import { FINE_DECIMALS, respondShapefile, SHAPEFILE_PARAMETERS, wantsShapefile } from './isochrone.js';
import { parameter } from './parameter-schema.js';
import { BadParameter, quoted } from './params/bad-parameter.js';
import { ROUTING_PARAMETERS } from './params/descriptions.js';
import { Query } from './params/query.js';
import type { Route } from './route.js';
import { searchOptions } from './searches.js';
import { useRouter } from './use-router.js';

/** The row of the route table. */
export const simpleIsochroneRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/simpleIsochrone',
    handler: simpleIsochrone,
    summary: 'The ground around the stops reached, in the least time of departures spread over some hours',
    answer: 'SimpleIsochrones',
    tag: 'Analysis',
    produces: ['application/json', 'application/x-zip-compressed'],
    cost: 'long search',
    query: [
      ...ROUTING_PARAMETERS,
      parameter.integer('requestSpacingMinutes', 'Minutes between departures', { minimum: 1, default: 30 }),
      parameter.integer('requestTimespanHours', 'Hours over which departures are spread', { minimum: 1, default: 20 }),
      parameter.boolean('stopsOnly', 'Circles around stops only, not around every vertex', { default: true }),
      parameter.decimal('radiusMeters', 'Trips begin at the stops within this distance of the place', {
        minimum: 0,
        default: 5000,
      }),
      parameter.integer('nContours', 'Number of contours', { minimum: 1, default: 4 }),
      parameter.integer('contourSpacingMinutes', 'Minutes between contours', { minimum: 1, default: 30 }),
      parameter.boolean('resultsProjected', 'Coordinates in `crs` instead of degrees', { default: false }),
      parameter.text(
        'crs',
        '`EPSG:3857` or a UTM zone, for `resultsProjected`; circles are round on the ground in any of them',
      ),
      ...SHAPEFILE_PARAMETERS,
    ],
  },
];

/** Decimals of GeoJSON in degrees. */
const DECIMALS = 4;

async function simpleIsochrone(ctx: Context, deps: HandlerDeps): Promise<void> {
  const query = new Query(ctx.querystring);
  const zipped = wantsShapefile(ctx, query);
  const crs = projection(query);
  const options = {
    spacingMinutes: query.integer('requestSpacingMinutes') ?? 30,
    timespanHours: query.integer('requestTimespanHours') ?? 20,
    stopsOnly: query.boolean('stopsOnly') ?? true,
    radiusM: query.decimal('radiusMeters') ?? 5000,
    contours: query.integer('nContours') ?? 4,
    contourSpacingMinutes: query.integer('contourSpacingMinutes') ?? 30,
    decimals: zipped || crs !== undefined ? FINE_DECIMALS : DECIMALS,
    ...(crs === undefined ? {} : { crs }),
  };
  const found = await useRouter(deps, ctx.params.routerId, query, (router) =>
    router.graph.circleIsochrone(analysisRequest(query, router), options, searchOptions(ctx)),
  );
  if (zipped) {
    const name = found.stopName.trim().split(/\s+/)[0] ?? '';
    return respondShapefile(ctx, found.contours, query, { column: 'Time', name, ...(crs ? { crs } : {}) });
  }
  respondContours(ctx, found.contours, 'Time');
}

/** The reference system of the answer, when it is not degrees. */
function projection(query: Query): string | undefined {
  const crs = query.text('crs');
  if (crs !== undefined && !/^EPSG:[1-9]\d{3,5}$/i.test(crs)) {
    throw new BadParameter('crs', `${quoted(crs)} is not an EPSG code`);
  }
  if (!query.boolean('resultsProjected')) return undefined;
  if (crs === undefined) throw new BadParameter('crs', 'is required with resultsProjected');
  return crs.toUpperCase();
}
