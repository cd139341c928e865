/** GET /routers/{routerId}/analyst/tile/{z}/{x}/{y}.png: travel times as map tiles, searched on the way. */

import type { Context } from 'koa';
import sharp from 'sharp';
import type { Surface } from '../native/types.js';
import type { AppDeps } from '../server/deps.js';
import { analysisRequest, CACHEABLE, respondBytes } from './analysis-request.js';
import { clientGone } from './client-gone.js';
import { HttpError } from './errors.js';
import { imageFormat } from './image-format.js';
import { ROUTING_PARAMETERS } from './params/descriptions.js';
import { Query } from './params/query.js';
import type { Route } from './route.js';
import { tileOf } from './surfaces.js';
import { useRouter } from './use-router.js';

/** The row of the route table. */
export const analystTileRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/analyst/tile/:z/:x/:tile',
    handler: analystTile,
    summary: 'A map tile of the travel times from a place',
    tag: 'Analysis',
    cost: 'search',
    query: [
      ...ROUTING_PARAMETERS,
      { name: 'layers', schema: { type: 'string', default: 'traveltime' }, description: 'TRAVELTIME' },
      {
        name: 'styles',
        schema: { type: 'string', default: 'mask' },
        description: 'COLOR30, GRAY, DIFFERENCE, TRANSPARENT, MASK or BOARDINGS',
      },
      {
        name: 'format',
        schema: { type: 'string', default: 'image/png' },
        description: '`image/png`, `image/gif` or `image/jpeg`',
      },
    ],
  },
];

const LAYERS = ['TRAVELTIME', 'DIFFERENCE', 'HAGERSTRAND'];
const STYLES = ['COLOR30', 'GRAY', 'GREY', 'DIFFERENCE', 'TRANSPARENT', 'MASK', 'BOARDINGS'];

/** Longest time shown, minutes; the bytes of tiles end there. */
const CUTOFF_MINUTES = 120;

async function analystTile(ctx: Context, deps: AppDeps): Promise<void> {
  const query = new Query(ctx.querystring);
  const layer = known(query, 'layers', 'traveltime', LAYERS, 'unknown layer name');
  const style = known(query, 'styles', 'mask', STYLES, 'unknown layer style');
  const format = imageFormat(query.text('format') ?? 'image/png');
  if (format === 'geotiff') throw new HttpError(400, 'unsupported image format: geotiff');
  if (layer !== 'TRAVELTIME') {
    throw new HttpError(400, `layer ${layer} needs two searches: create surfaces and use their difference tiles`);
  }
  const { z, x, y } = tileOf(ctx);
  const png = await useRouter(deps, ctx.params.routerId, query, async (router) => {
    // Without a place there is nothing to show, as before there was never anything.
    if (query.text('fromPlace') === undefined && query.text('toPlace') === undefined) return undefined;
    const request = analysisRequest(query, router);
    const options = { cutoffMinutes: CUTOFF_MINUTES };
    const surface = await router.graph.surface(request, options, { signal: clientGone(ctx) });
    return tile(surface, z, x, y, style);
  });
  if (png === undefined) {
    ctx.status = 204;
    return;
  }
  ctx.set('Cache-Control', CACHEABLE);
  if (format === 'png') return respondBytes(ctx, 'image/png', png);
  const image = format === 'jpeg' ? sharp(png).flatten({ background: 'white' }) : sharp(png);
  respondBytes(ctx, `image/${format}`, await image[format]().toBuffer());
}

async function tile(surface: Surface, z: number, x: number, y: number, style: string): Promise<Buffer> {
  try {
    return await surface.tile(z, x, y, style);
  } finally {
    surface.dispose();
  }
}

function known(query: Query, name: string, byDefault: string, names: readonly string[], text: string): string {
  const asked = (query.raw(name) ?? byDefault).split(',')[0] ?? '';
  const upper = asked === '' ? (names[0] ?? '') : asked.toUpperCase();
  if (!names.includes(upper)) throw new HttpError(400, `${text}: ${asked}`);
  return upper;
}
