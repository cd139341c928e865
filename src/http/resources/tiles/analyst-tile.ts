/**
 * GET /routers/{routerId}/analyst/tile/{z}/{x}/{y}.png: travel times as map tiles from a search made for the request.
 * Tiles can also combine two searches: their difference, or the time left between one place and another.
 */

import type { Context } from 'koa';
import { HttpError } from '../../../http-error.js';
import type { PlanRequest, Surface, TileOptions } from '../../../native/types.js';
import { cachingOfSearch } from '../../answers/caching.js';
import type { HandlerDeps } from '../../deps.js';
import { ROUTING } from '../../params/descriptions.js';
import { type Parameter, parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
import { searchOptions } from '../../request/searches.js';
import { useRouter } from '../../request/use-router.js';
import type { Route } from '../../route.js';
import { analysisRequest } from '../analysis-request.js';
import { imageFormat } from './image-format.js';
import { respondTile, tileOf } from './tile.js';

const PARAMETERS = {
  ...ROUTING,
  ...parameters({
    layers: parameter.text(
      'TRAVELTIME; DIFFERENCE: minutes by which the first search is slower than the second; HAGERSTRAND: minutes left ' +
        'between the first search and the second. The second search has the second values of repeated parameters',
      { default: 'traveltime' },
    ),
    styles: parameter.text('COLOR30, GRAY, DIFFERENCE, TRANSPARENT, MASK or BOARDINGS', { default: 'mask' }),
    format: parameter.text('`image/png`, `image/gif`, `image/jpeg` or `image/geotiff` (the minutes, without colours)', {
      default: 'image/png',
    }),
  }),
};

export const analystTileRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/analyst/tile/:z/:x/:tile',
    handler: analystTile,
    summary: 'A map tile of the travel times from a place',
    tag: 'Analysis',
    sends: ['image/png', 'image/gif', 'image/jpeg', 'image/geotiff'],
    mayBeEmpty: 'There is neither `fromPlace` nor `toPlace`',
    cost: 'search',
    query: PARAMETERS,
  },
];

const LAYERS = ['TRAVELTIME', 'DIFFERENCE', 'HAGERSTRAND'] as const;
const STYLES = ['COLOR30', 'GRAY', 'GREY', 'DIFFERENCE', 'TRANSPARENT', 'MASK', 'BOARDINGS'] as const;

/** Longest time shown, seconds; the bytes of tiles end there. */
const CUTOFF_SECONDS = 7200;

async function analystTile(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const layer = known(query, PARAMETERS.layers, LAYERS, 'unknown layer name');
  const style = known(query, PARAMETERS.styles, STYLES, 'unknown layer style');
  const format = imageFormat(query.value(PARAMETERS.format));
  const options = { ...tileOf(ctx), style, geotiff: format === 'geotiff' };
  const image = await useRouter(deps, ctx.params.routerId, query, async (router) => {
    // Without a place there is nothing to draw.
    if (query.given(ROUTING.fromPlace) === undefined && query.given(ROUTING.toPlace) === undefined) return undefined;
    const requests = (layer === 'TRAVELTIME' ? [query] : [query.occurrence(0), query.occurrence(1)]).map((part) =>
      analysisRequest(part, router),
    );
    const surfaces: Surface[] = [];
    try {
      for (const request of requests) {
        const options = searchOptions(ctx);
        surfaces.push(await router.graph.surface(request, { cutoffSeconds: CUTOFF_SECONDS }, options));
      }
      return await draw(layer, surfaces, requests, options);
    } finally {
      for (const surface of surfaces) surface.dispose();
    }
  });
  if (image === undefined) {
    ctx.status = 204;
    return;
  }
  await respondTile(ctx, image, cachingOfSearch(query), format);
}

function draw(
  layer: (typeof LAYERS)[number],
  [first, second]: readonly Surface[],
  [from, to]: readonly PlanRequest[],
  options: TileOptions,
): Promise<Buffer> | undefined {
  if (layer === 'TRAVELTIME' || second === undefined) return first?.tile(options);
  if (layer === 'DIFFERENCE') return first?.differenceTile(second, options);
  const between = Math.abs((to?.epochSeconds ?? 0) - (from?.epochSeconds ?? 0));
  return first?.timeLeftTile(second, between, options);
}

function known<T extends string>(
  query: Query,
  parameter: Parameter<string>,
  names: readonly [T, ...T[]],
  text: string,
): T {
  const requested = (query.raw(parameter) ?? String(parameter.schema.default)).split(',')[0] ?? '';
  const found = requested === '' ? names[0] : names.find((candidate) => candidate === requested.toUpperCase());
  if (found === undefined) throw new HttpError(400, `${text}: ${requested}`);
  return found;
}
