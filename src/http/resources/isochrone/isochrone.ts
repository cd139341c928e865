/** GET /routers/{routerId}/isochrone: the area reached within one or more times. */

import { PassThrough } from 'node:stream';
import type { Context } from 'koa';
import { HttpError } from '../../../http-error.js';
import type { Contour, PlanRequest } from '../../../native/types.js';
import { contourShapefile } from '../../../serialization/shapefile.js';
import { cachingOf } from '../../answers/caching.js';
import type { HandlerDeps } from '../../deps.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { ROUTING } from '../../params/descriptions.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import { Query } from '../../params/query.js';
import { searchOptions } from '../../request/searches.js';
import { useRouter } from '../../request/use-router.js';
import type { Route } from '../../route.js';
import { analysisRequest, gridAnchor, gridCost, ORIGIN, respondContours } from '../analysis-request.js';

const JSON_TYPE = 'application/json';
const ZIP_TYPE = 'application/x-zip-compressed';

/** Accepted names of the formats; the first of each is the media type sent. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  geojson: [JSON_TYPE, 'application/geo+json', 'application/vnd.geo+json'],
  shapefile: [ZIP_TYPE, 'application/zip'],
};

/** Grid and area of one-to-many searches. */
export const AREA = {
  ...parameters({
    maxTimeSec: parameter.integer('Longest time of the sampled area, seconds; by default the largest cutoff'),
    precisionMeters: parameter.integer('Cell of the sampling grid, metres', { minimum: 10, default: 200 }),
    offRoadDistanceMeters: parameter.integer('Longest straight line from a street, metres', {
      minimum: 10,
      default: 150,
    }),
  }),
  ...ORIGIN,
};

/** Form of the answer, and names in its shapefile. */
export const SHAPEFILE = parameters({
  format: parameter.choice(['geojson', 'shapefile'], 'Form of the answer, instead of the Accept header'),
  shpName: parameter.text('Base name of the shapefile'),
  stream: parameter.boolean('`false` puts a second archive with the same files into the archive', { default: true }),
});

const PARAMETERS = {
  ...ROUTING,
  ...parameters({ cutoffSec: parameter.integer('A time in seconds; one feature each', { repeatable: true }) }),
  ...AREA,
  ...SHAPEFILE,
};

/** The row of the route table. */
export const isochroneRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/isochrone',
    handler: isochrone,
    summary: 'The area reached from a place within given times',
    answer: 'Isochrones',
    tag: 'Analysis',
    produces: [...(FORMATS.geojson ?? []), ...(FORMATS.shapefile ?? [])],
    headers: ['Content-Disposition'],
    cost: gridCost,
    query: PARAMETERS,
  },
];

/** Most cutoffs of one request. */
const MAX_CUTOFFS = 200;

/** Decimals of coordinates in shapefiles: about a centimetre. */
export const FINE_DECIMALS = 7;

async function isochrone(ctx: Context, deps: HandlerDeps): Promise<void> {
  const query = new Query(ctx.querystring);
  const zipped = wantsShapefile(ctx, query);
  const contours = await useRouter(deps, ctx.params.routerId, query, (router) => {
    const request = analysisRequest(query, router);
    const options = contourOptions(query, request, zipped);
    return router.graph.isochrone(request, options, searchOptions(ctx));
  });
  // The interface's order: the last cutoff first.
  contours.reverse();
  if (zipped) return respondShapefile(ctx, contours, query, { column: 'time', name: 'null' });
  ctx.set('Cache-Control', cachingOf(query));
  respondContours(ctx, contours);
}

/** Whether the client wants a shapefile, by `format` or by the Accept header. */
export function wantsShapefile(ctx: Context, query: Query): boolean {
  const format = query.given(SHAPEFILE.format);
  if (format !== undefined) return format === 'shapefile';
  return FORMATS.shapefile?.includes(String(ctx.state.mediaType)) ?? false;
}

function contourOptions(query: Query, request: PlanRequest, zipped: boolean) {
  const cutoffs = readCutoffs(query);
  if (request.arriveBy && query.given(ROUTING.toPlace) === undefined) {
    throw new BadParameter('toPlace', 'is required with arriveBy');
  }
  const precisionM = query.value(AREA.precisionMeters);
  return {
    area: {
      maxSeconds: query.given(AREA.maxTimeSec) ?? Math.max(0, ...cutoffs),
      precisionM,
      offRoadM: query.value(AREA.offRoadDistanceMeters),
      ...gridAnchor(query),
    },
    cutoffs,
    decimals: zipped ? FINE_DECIMALS : decimalsFor(precisionM),
  };
}

/** Four decimals are 11 m, which is too coarse for grids finer than those that the interface usually has. */
function decimalsFor(precisionMeters: number): number {
  if (precisionMeters >= 100) return 4;
  return precisionMeters >= 25 ? 5 : 6;
}

function readCutoffs(query: Query): number[] {
  const cutoffs = query.all(PARAMETERS.cutoffSec);
  if (cutoffs.length > MAX_CUTOFFS) throw new HttpError(413, `more than ${MAX_CUTOFFS} cutoffs in one request\n`);
  return cutoffs;
}

/** Sends contours as a zipped shapefile; `name` is used unless the request gives another. */
export async function respondShapefile(
  ctx: Context,
  contours: readonly Contour[],
  query: Query,
  as: { column: 'time' | 'Time'; name: string; crs?: string },
): Promise<void> {
  const name = shapefileName(query.given(SHAPEFILE.shpName) ?? as.name);
  const files = contourShapefile(contours, as.column, as.crs);
  const archive = await archiveOf(name, files);
  archive.on('error', (error: Error) => ctx.res.destroy(error));
  if (!query.value(SHAPEFILE.stream)) archive.append(await zipped(name, files), { name: `${name}.zip` });
  ctx.attachment(`${name}.zip`);
  ctx.set('Content-Type', ZIP_TYPE);
  ctx.body = archive.pipe(new PassThrough());
  void archive.finalize();
}

/** An archive of files that have one name, to which others can be added. */
async function archiveOf(name: string, files: ReadonlyMap<string, Buffer>) {
  const { ZipArchive } = await import('archiver');
  const archive = new ZipArchive({});
  for (const [extension, content] of files) archive.append(content, { name: `${name}.${extension}` });
  return archive;
}

async function zipped(name: string, files: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const archive = await archiveOf(name, files);
  void archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** File systems allow 255 bytes including the extension, and a character takes up to four. */
const MAX_NAME_CHARACTERS = 60;

/** A file name without directories or control characters. */
function shapefileName(text: string): string {
  const name = text.replace(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^\.+/, '');
  return name === '' ? 'isochrone' : [...name].slice(0, MAX_NAME_CHARACTERS).join('');
}
