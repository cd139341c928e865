/** GET /routers/{routerId}/timegrid: a grid of times as the channels of an image. */

import type { Context } from 'koa';
import { analysisRequest, gridAnchor, gridCost, respondBytes } from './analysis-request.js';
import type { HandlerDeps } from './deps.js';
import { AREA_PARAMETERS } from './isochrone.js';
import { parameter } from './parameter-schema.js';
import { BadParameter } from './params/bad-parameter.js';
import { ROUTING_PARAMETERS } from './params/descriptions.js';
import { Query } from './params/query.js';
import type { Route } from './route.js';
import { searchOptions } from './searches.js';
import { useRouter } from './use-router.js';

const VALUES = ['TIME', 'BOARDINGS', 'WALK_DISTANCE'] as const;

/** The row of the route table. */
export const timeGridRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/timegrid',
    handler: timeGrid,
    summary: 'Times around a place as a PNG: red and green hold the value, blue the distance off the road',
    tag: 'Analysis',
    produces: ['image/png'],
    cost: gridCost,
    query: [
      ...ROUTING_PARAMETERS,
      ...AREA_PARAMETERS,
      parameter.text('zDataType', 'What the pixels hold: seconds, thousandths of boardings, or decimetres walked', {
        enum: VALUES,
        default: 'TIME',
      }),
      parameter.boolean('base64', 'Send the image as base64 text', { default: false }),
    ],
  },
];

/** Headers that pages of other origins may read. */
const GRID_HEADERS = 'OTPA-Grid-Corner, OTPA-Grid-Cell-Size, OTPA-OffRoad-Dist';

async function timeGrid(ctx: Context, deps: HandlerDeps): Promise<void> {
  const query = new Query(ctx.querystring);
  const maxSeconds = query.integer('maxTimeSec');
  if (maxSeconds === undefined) throw new BadParameter('maxTimeSec', 'is required');
  const options = {
    area: {
      maxSeconds,
      precisionM: query.integer('precisionMeters') ?? 200,
      offRoadM: query.integer('offRoadDistanceMeters') ?? 150,
      ...gridAnchor(query),
    },
    value: query.oneOf('zDataType', VALUES) ?? 'TIME',
    created: new Date().toUTCString(),
  };
  const grid = await useRouter(deps, ctx.params.routerId, query, (router) =>
    router.graph.timeGrid(analysisRequest(query, router), options, searchOptions(ctx)),
  );
  const [lat = 0, lon = 0] = grid.corner;
  const [height = 0, width = 0] = grid.cell;
  ctx.set('OTPA-Grid-Corner', `${lat.toFixed(8)},${lon.toFixed(8)}`);
  ctx.set('OTPA-Grid-Cell-Size', `${height.toFixed(12)},${width.toFixed(12)}`);
  ctx.set('OTPA-OffRoad-Dist', String(grid.offRoadM));
  ctx.set('Access-Control-Expose-Headers', GRID_HEADERS);
  ctx.set('Cache-Control', 'no-cache, no-transform');
  const base64 = query.boolean('base64') ?? false;
  respondBytes(ctx, 'image/png', base64 ? Buffer.from(grid.png.toString('base64')) : grid.png);
}
