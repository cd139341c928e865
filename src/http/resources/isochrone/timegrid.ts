/** GET /routers/{routerId}/timegrid: a grid of times as the channels of an image. */

import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { setHeaders } from '../../answers/answer-headers.js';
import { respondBytes } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { ROUTING } from '../../params/descriptions.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
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

async function timeGrid(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const maxSeconds = query.given(PARAMETERS.maxTimeSec);
  if (maxSeconds === undefined) throw new BadParameter('maxTimeSec', 'is required');
  const created = new Date().toUTCString();
  const options = { area: sampledArea(query, maxSeconds), value: query.value(PARAMETERS.zDataType), created };
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
  ctx.etag = tagOf(grid.png, created);
  const base64 = query.value(PARAMETERS.base64);
  respondBytes(ctx, 'image/png', base64 ? Buffer.from(grid.png.toString('base64')) : grid.png);
}

/** Bytes of the checksum that follows a text in a PNG. */
const CHECKSUM = 4;

/** A tag of the image without the time of its creation, which does not make it another image. */
function tagOf(png: Buffer, created: string): string {
  const at = png.indexOf(created);
  const hash = createHash('sha1')
    .update(png.subarray(0, at))
    .update(png.subarray(at + created.length + CHECKSUM));
  return `W/"${hash.digest('base64url')}"`;
}
