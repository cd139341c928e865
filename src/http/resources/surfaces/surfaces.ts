/** /surfaces: travel times from a place to everywhere, kept to answer many requests. */

import type { Context } from 'koa';
import type { ListedSurface, StoredSurface } from '../../../analysis/surface-store.js';
import { HttpError } from '../../../http-error.js';
import { setHeaders } from '../../answers/answer-headers.js';
import { ALWAYS_ASK } from '../../answers/caching.js';
import { TEXT_ONLY } from '../../answers/negotiation.js';
import { respondBytes, respondJson, respondLargeJson, respondText } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
import { secondsOf } from '../../params/seconds.js';
import { searchOptions } from '../../request/searches.js';
import { useRouter } from '../../request/use-router.js';
import { type Route, routesWith } from '../../route.js';
import { requireAnalyst, respondContours } from '../analysis-request.js';
import { imageFormat } from '../tiles/image-format.js';
import { respondTile, tileOf } from '../tiles/tile.js';
import { indicatorOf } from './indicator.js';
import { findPointSet } from './pointsets.js';
import {
  cutoffOf,
  SURFACE,
  searchSurface,
  searchSurfaces,
  surfaceQueries,
  surfaceRequest,
  surfacesCost,
} from './surface-search.js';
import { storeWindowSurfaces, windowOptions } from './window-surfaces.js';

const PNG = 'image/png';
/** Ids start again with every process, so clients have to ask whether theirs is still the same surface. */
const CACHING = ALWAYS_ASK;

const INDICATOR = parameters({
  targets: parameter.text('Point set', { required: true }),
  detail: parameter.boolean('Also the time to every feature', { default: false }),
});

const CONTOURS = parameters({
  spacing: parameter.integer('Minutes between contours; 30 for less than 1', { default: 30 }),
  nMax: parameter.integer('Largest number of contours', { default: 1 }),
});

const RASTER = parameters({
  width: parameter.integer('Pixels in a row', { default: 1024 }),
  height: parameter.integer('Rows', { default: 768 }),
  resolution: parameter.decimal('Units of the reference system per pixel'),
  format: parameter.text('`image/geotiff`, `image/png`, `image/gif` or `image/jpeg`', { default: 'image/geotiff' }),
  crs: parameter.text('An EPSG code such as `EPSG:3857`, `EPSG:32633` or `EPSG:2154`', { default: 'EPSG:4326' }),
});

const UNKNOWN = new HttpError(404, 'Invalid surface ID.');
const INVALID = new HttpError(400, 'Bad request: Invalid TimeSurface ID.');
const UNRECOGNIZED = new HttpError(400, 'Bad request: Unrecognized surface ID.');

export const surfaceRoutes = routesWith({ tag: 'Analysis' }, [
  {
    method: 'POST',
    path: '/surfaces',
    handler: create,
    summary:
      'Search from a place to everywhere and keep the times; a body that is a JSON list of parameter objects makes one surface each',
    answer: 'CreatedSurfaces',
    cost: surfacesCost,
    query: SURFACE,
  },
  {
    method: 'GET',
    path: '/surfaces',
    handler: list,
    summary: 'All surfaces',
    answer: 'SurfaceList',
  },
  {
    method: 'GET',
    path: '/surfaces/:surfaceId',
    handler: one,
    summary: 'A surface',
    answer: 'Surface',
  },
  {
    method: 'DELETE',
    path: '/surfaces/:surfaceId',
    handler: remove,
    summary: 'Remove a surface',
    role: 'ROUTERS',
    produces: TEXT_ONLY,
  },
  {
    method: 'GET',
    path: '/surfaces/:surfaceId/indicator',
    handler: withSurfaces(indicator, INVALID),
    summary: 'How much of a point set is reached, by minute',
    answer: 'Indicator',
    query: INDICATOR,
  },
  {
    method: 'GET',
    path: '/surfaces/:surfaceId/isochrone',
    handler: withSurfaces(isochrone, INVALID),
    summary: 'The areas reached within evenly spaced times',
    answer: 'Isochrones',
    cost: 'search',
    query: CONTOURS,
  },
  {
    method: 'GET',
    path: '/surfaces/:surfaceId/raster',
    handler: withSurfaces(raster, UNKNOWN),
    summary: 'Minutes over the whole graph as a GeoTIFF or an image',
    produces: ['image/geotiff', 'image/tiff', PNG, 'image/gif', 'image/jpeg'],
    headers: ['Raster-Bounds'],
    cost: 'long search',
    query: RASTER,
  },
  {
    method: 'GET',
    path: '/surfaces/:surfaceId/isotiles/:z/:x/:tile',
    handler: withSurfaces(isotile, UNRECOGNIZED),
    summary: 'A map tile of minutes',
    produces: [PNG],
  },
  {
    method: 'GET',
    path: '/surfaces/:surfaceId/differencetiles/:otherId/:z/:x/:tile',
    handler: withSurfaces(differenceTile, UNRECOGNIZED),
    summary: 'A map tile of the minutes by which a surface is slower than another one, also of another router',
    produces: [PNG],
  },
]);

async function create(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  requireAnalyst(deps);
  const { surfaces } = deps;
  const requested = await surfaceQueries(ctx, query, deps.config.maxBodyBytes);
  if (Array.isArray(requested)) {
    const made = await searchSurfaces(requested, deps, () => searchOptions(ctx));
    return respondJson(ctx, (await surfaces.add(made)).map(shown));
  }
  const window = windowOptions(requested, cutoffOf(requested));
  if (window === undefined) {
    const made = await searchSurface(requested, deps, searchOptions(ctx));
    return respondJson(ctx, (await surfaces.add([made])).map(shown)[0]);
  }
  const stored = await useRouter(deps, requested.given(SURFACE.routerId), requested, (router) => {
    const search = {
      router,
      request: surfaceRequest(requested, router),
      options: window,
      params: requested.firstValues(),
    };
    return storeWindowSurfaces(deps, search, searchOptions(ctx));
  });
  respondJson(ctx, shownWindow(stored));
}

function shown({ id, params }: ListedSurface) {
  return { id, params };
}

/** The first surface, and all with the statistic of each. */
function shownWindow(stored: readonly StoredSurface[]) {
  const [first] = stored;
  const percentiles = stored.map(({ id, params }) => ({ percentile: params.percentile, id }));
  return { ...(first && shown(first)), percentiles };
}

function list(ctx: Context, deps: HandlerDeps): void {
  requireAnalyst(deps);
  respondJson(ctx, deps.surfaces.list().map(shown));
}

function one(ctx: Context, deps: HandlerDeps): void {
  requireAnalyst(deps);
  const id = idIn(ctx);
  const surface = id === undefined ? undefined : deps.surfaces.listed(id);
  if (surface === undefined) throw UNKNOWN;
  respondJson(ctx, shown(surface));
}

async function remove(ctx: Context, deps: HandlerDeps): Promise<void> {
  requireAnalyst(deps);
  const id = idIn(ctx);
  if (id === undefined || !(await deps.surfaces.remove(id))) throw UNKNOWN;
  respondText(ctx, 200, 'removed\n');
}

/** A request about surfaces; `find` finds the one that a parameter of the path names. */
interface SurfaceRequest {
  readonly ctx: Context;
  readonly deps: HandlerDeps;
  readonly query: Query;
  readonly find: (parameter?: string) => Promise<StoredSurface>;
}

/**
 * Answers requests about surfaces. The answer is `missing` where one is unknown, or is removed before it is used, by a
 * client or to make room.
 */
function withSurfaces(answer: (request: SurfaceRequest) => Promise<void>, missing: HttpError): Route['handler'] {
  return async (ctx, deps, query) => {
    requireAnalyst(deps);
    const find = async (parameter?: string) => {
      const id = idIn(ctx, parameter);
      const surface = id === undefined ? undefined : await deps.surfaces.get(id);
      if (surface === undefined) throw missing;
      return surface;
    };
    await answer({ ctx, deps, query, find }).catch((error) => {
      throw error.code === 'DISPOSED' ? missing : error;
    });
  };
}

function idIn(ctx: Context, parameter = 'surfaceId'): number | undefined {
  const text = String(ctx.params[parameter]);
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

async function indicator({ ctx, deps, query, find }: SurfaceRequest): Promise<void> {
  const surface = await find();
  const targets = query.given(INDICATOR.targets);
  const set = targets === undefined ? undefined : await findPointSet(deps, targets);
  if (set === undefined) throw new HttpError(400, 'Bad request: Missing or invalid target PointSet ID.');
  const seconds = await surface.times.timesTo(await deps.pointLinks.of(set, surface));
  await respondLargeJson(ctx, await indicatorOf(surface, set, seconds, query.value(INDICATOR.detail)));
}

async function isochrone({ ctx, query, find }: SurfaceRequest): Promise<void> {
  const { times } = await find();
  const requested = query.value(CONTOURS.spacing);
  const spacing = requested < 1 ? Number(CONTOURS.spacing.schema.default) : requested;
  const count = Math.max(0, query.value(CONTOURS.nMax));
  const contours = await times.isochrone(secondsOf(spacing, 'minutes'), count, searchOptions(ctx));
  respondContours(ctx, contours);
}

async function raster({ ctx, query, find }: SurfaceRequest): Promise<void> {
  const format = imageFormat(query.value(RASTER.format));
  const { times } = await find();
  const resolution = query.given(RASTER.resolution);
  const size = { width: query.value(RASTER.width), height: query.value(RASTER.height) };
  const crs = query.value(RASTER.crs);
  const geotiff = format === 'geotiff';
  const requested = { crs, ...size, ...(resolution === undefined ? {} : { resolution }), geotiff };
  const found = await times.raster(requested, searchOptions(ctx));
  ctx.set('Cache-Control', CACHING);
  setHeaders(ctx, { 'Raster-Bounds': found.bounds.join(',') });
  if (geotiff) return respondBytes(ctx, 'image/geotiff', found.bytes);
  const { default: sharp } = await import('sharp');
  const raw = { width: found.width, height: found.height, channels: 1 as const };
  respondBytes(ctx, `image/${format}`, await sharp(found.bytes, { raw }).toColourspace('b-w')[format]().toBuffer());
}

async function isotile({ ctx, find }: SurfaceRequest): Promise<void> {
  const { times } = await find();
  await respondTile(ctx, await times.tile({ ...tileOf(ctx), style: 'COLOR30' }), CACHING);
}

async function differenceTile({ ctx, find }: SurfaceRequest): Promise<void> {
  const a = await find();
  const b = await find('otherId');
  await respondTile(ctx, await a.times.differenceTile(b.times, { ...tileOf(ctx), style: 'DIFFERENCE' }), CACHING);
}
