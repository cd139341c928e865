/** GET /routers/{routerId}/simpleIsochrone: the area around stops that the best of many departures reaches. */

import type { Context } from 'koa';
import { quoted } from '../../../quoted.js';
import type { HandlerDeps } from '../../deps.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { ROUTING } from '../../params/descriptions.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
import { secondsOf } from '../../params/seconds.js';
import { searchOptions } from '../../request/searches.js';
import { useRouter } from '../../request/use-router.js';
import type { Route } from '../../route.js';
import { departingRequest, respondContours } from '../analysis-request.js';
import { FINE_DECIMALS, respondShapefile, SHAPEFILE, wantsShapefile } from './shapefile-answer.js';

const PARAMETERS = {
  ...ROUTING,
  ...parameters({
    requestSpacingMinutes: parameter.integer('Minutes between departures', { minimum: 1, default: 30 }),
    requestTimespanHours: parameter.integer('Hours over which departures are spread', { minimum: 1, default: 20 }),
    stopsOnly: parameter.boolean('Circles around stops only, not around every vertex', { default: true }),
    radiusMeters: parameter.decimal('Trips begin at the stops within this distance of the place', {
      minimum: 0,
      default: 5000,
    }),
    nContours: parameter.integer('Number of contours', { minimum: 1, default: 4 }),
    contourSpacingMinutes: parameter.integer('Minutes between contours', { minimum: 1, default: 30 }),
    resultsProjected: parameter.boolean('Coordinates in `crs` instead of degrees', { default: false }),
    crs: parameter.text(
      'An EPSG code such as `EPSG:3857` or `EPSG:2154`, for `resultsProjected`; circles are round on the ground in all',
    ),
  }),
  ...SHAPEFILE,
};

export const simpleIsochroneRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/simpleIsochrone',
    handler: simpleIsochrone,
    summary: 'Circles around the stops reached, by the least time of departures spread over some hours',
    answer: 'SimpleIsochrones',
    tag: 'Analysis',
    produces: ['application/json', 'application/x-zip-compressed'],
    headers: ['Content-Disposition'],
    cost: 'long search',
    query: PARAMETERS,
  },
];

/** Decimals of GeoJSON in degrees. */
const DECIMALS = 4;

async function simpleIsochrone(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const zipped = wantsShapefile(ctx, query);
  const crs = projection(query);
  const options = {
    spacingSeconds: secondsOf(query.value(PARAMETERS.requestSpacingMinutes), 'minutes'),
    timespanSeconds: secondsOf(query.value(PARAMETERS.requestTimespanHours), 'hours'),
    stopsOnly: query.value(PARAMETERS.stopsOnly),
    radiusM: query.value(PARAMETERS.radiusMeters),
    contours: query.value(PARAMETERS.nContours),
    contourSpacingSeconds: secondsOf(query.value(PARAMETERS.contourSpacingMinutes), 'minutes'),
    decimals: zipped || crs !== undefined ? FINE_DECIMALS : DECIMALS,
    ...(crs === undefined ? {} : { crs }),
  };
  const found = await useRouter(deps, ctx.params.routerId, query, (router) =>
    router.graph.circleIsochrone(departingRequest(query, router), options, searchOptions(ctx)),
  );
  if (zipped) {
    const name = found.stopName.trim().split(/\s+/)[0] ?? '';
    const { contours, projection } = found;
    return respondShapefile(ctx, contours, query, { column: 'Time', name, ...(projection ? { projection } : {}) });
  }
  respondContours(ctx, found.contours, 'Time');
}

/** The reference system of the answer, when it is not degrees. */
function projection(query: Query): string | undefined {
  const crs = query.given(PARAMETERS.crs);
  if (crs !== undefined && !/^EPSG:[1-9]\d{3,5}$/i.test(crs)) {
    throw new BadParameter('crs', `${quoted(crs)} is not an EPSG code`);
  }
  if (!query.value(PARAMETERS.resultsProjected)) return undefined;
  if (crs === undefined) throw new BadParameter('crs', 'is required with resultsProjected');
  return crs.toUpperCase();
}
