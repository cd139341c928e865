/** Parts that the one-to-many resources share: their request, the central place, and whether they are available. */

import type { Context } from 'koa';
import { HttpError } from '../../http-error.js';
import type { Contour, PlanRequest } from '../../native/types.js';
import { quoted } from '../../quoted.js';
import type { Router } from '../../registry/router.js';
import { contourCollection } from '../../serialization/geo-json.js';
import { respondBytes } from '../answers/respond.js';
import type { HandlerDeps } from '../deps.js';
import { BadParameter } from '../params/bad-parameter.js';
import { parameter, parameters } from '../params/parameter-schema.js';
import { isOnEarth, parsePlace } from '../params/place.js';
import type { Query } from '../params/query.js';
import { requestNow } from '../params/routing-request.js';
import type { SearchCost } from '../route.js';

/** The shared routing parameters of a one-to-many search; its centre is required. */
export function analysisRequest(query: Query, router: Router): PlanRequest {
  return centred(requestNow(query, router.graph, router.config));
}

/** The same for the older isochrones, which always depart. */
export function departingRequest(query: Query, router: Router): PlanRequest {
  return centred({ ...requestNow(query, router.graph, router.config), arriveBy: false });
}

function centred(request: PlanRequest): PlanRequest {
  const [parameter, place] = request.arriveBy ? ['toPlace', request.to] : ['fromPlace', request.from];
  if (place === undefined || (place.lat === undefined && !place.label)) {
    throw new BadParameter(parameter as string, 'a coordinate, or the label of a stop, is required');
  }
  return request;
}

/** Smaller cells, in metres, or more cutoffs than this make a search over a grid long. */
const FINE_METRES = 100;
const FEW_CUTOFFS = 12;

/**
 * The cost of a search over a grid: most take a tenth of a second; fine grids or many cutoffs take a hundred times as
 * long.
 */
export function gridCost({ querystring }: Context): SearchCost {
  const query = new URLSearchParams(querystring);
  const cells = query.get('precisionMeters');
  const isFine = cells !== null && !(Number(cells) >= FINE_METRES);
  return isFine || query.getAll('cutoffSec').length > FEW_CUTOFFS ? 'long search' : 'search';
}

/** Parameters of a grid, and of the area that it covers. */
export const AREA = parameters({
  maxTimeSec: parameter.integer('Longest time of the sampled area, seconds; by default the largest cutoff'),
  precisionMeters: parameter.integer('Width of a cell of the sampling grid, metres', { minimum: 10, default: 200 }),
  offRoadDistanceMeters: parameter.integer('Longest straight line from a street, metres', {
    minimum: 10,
    default: 150,
  }),
  coordinateOrigin: parameter.text(
    'A coordinate on a node of the grid, so that several answers are aligned; by default the place',
  ),
});

/** The grid of a query, and the time up to which it is sampled. */
export function sampledArea(query: Query, maxSeconds: number) {
  return {
    maxSeconds,
    precisionM: query.value(AREA.precisionMeters),
    offRoadM: query.value(AREA.offRoadDistanceMeters),
    ...gridAnchor(query),
  };
}

/** The node that the grid is aligned to; by default the central place. */
function gridAnchor(query: Query): { anchorLat?: number; anchorLon?: number } {
  const text = query.given(AREA.coordinateOrigin);
  if (text === undefined) return {};
  const { lat, lon } = parsePlace(text);
  if (lat === undefined || lon === undefined || !isOnEarth(lat, lon)) {
    throw new BadParameter('coordinateOrigin', `${quoted(text)} is not a coordinate`);
  }
  return { anchorLat: lat, anchorLon: lon };
}

/** Surfaces and point sets exist only when the server was started with `--analyst`. */
export function requireAnalyst({ config }: HandlerDeps): void {
  if (!config.analyst) throw new HttpError(404, 'ANALYST_OFF: start the server with --analyst\n');
}

/** Sends contours as GeoJSON. The ids of the features are new every time, so an entity tag would never match. */
export function respondContours(ctx: Context, contours: readonly Contour[], property?: 'time' | 'Time'): void {
  ctx.state.untagged = true;
  respondBytes(ctx, 'application/json', contourCollection(contours, property));
}
