/** GET /routers/{routerId}/timegrid: a grid of times as the channels of an image. */

import type { Context } from 'koa';
import { setHeaders } from '../../answers/answer-headers.js';
import { respondBytes } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { ROUTING } from '../../params/descriptions.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import { Query } from '../../params/query.js';
import { searchOptions } from '../../request/searches.js';
import { useRouter } from '../../request/use-router.js';
import type { Route } from '../../route.js';
import { AREA, analysisRequest, gridCost, sampledArea } from '../analysis-request.js';

const PARAMETERS = {
  ...ROUTING,
  ...AREA,
  ...parameters({
    maxTimeSec: parameter.integer('Longest time, seconds', { required: true }),
    zDataType: parameter.choice(
      ['TIME', 'BOARDINGS', 'WALK_DISTANCE'],
      'What the pixels hold: seconds, thousandths of boardings, or decimetres walked',
      { default: 'TIME' },
    ),
    base64: parameter.boolean('Send the image as base64 text', { default: false }),
  }),
};

export const timeGridRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/timegrid',
    handler: timeGrid,
    summary: 'Times around a place as a PNG: red and green hold the value, blue the distance off the road',
    tag: 'Analysis',
    produces: ['image/png'],
    headers: ['OTPA-Grid-Corner', 'OTPA-Grid-Cell-Size', 'OTPA-OffRoad-Dist'],
    cost: gridCost,
    query: PARAMETERS,
  },
];

async function timeGrid(ctx: Context, deps: HandlerDeps): Promise<void> {
  const query = new Query(ctx.querystring);
  const maxSeconds = query.given(PARAMETERS.maxTimeSec);
  if (maxSeconds === undefined) throw new BadParameter('maxTimeSec', 'is required');
  const options = {
    area: sampledArea(query, maxSeconds),
    value: query.value(PARAMETERS.zDataType),
    created: new Date().toUTCString(),
  };
  const grid = await useRouter(deps, ctx.params.routerId, query, (router) =>
    router.graph.timeGrid(analysisRequest(query, router), options, searchOptions(ctx)),
  );
  const [lat = 0, lon = 0] = grid.corner;
  const [height = 0, width = 0] = grid.cell;
  setHeaders(ctx, {
    'OTPA-Grid-Corner': `${lat.toFixed(8)},${lon.toFixed(8)}`,
    'OTPA-Grid-Cell-Size': `${height.toFixed(12)},${width.toFixed(12)}`,
    'OTPA-OffRoad-Dist': String(grid.offRoadM),
  });
  ctx.set('Cache-Control', 'no-cache, no-transform');
  const base64 = query.value(PARAMETERS.base64);
  respondBytes(ctx, 'image/png', base64 ? Buffer.from(grid.png.toString('base64')) : grid.png);
}
