/** Contours as zipped shapefiles, for clients that prefer them to GeoJSON. */

import { PassThrough } from 'node:stream';
import type { Context } from 'koa';
import type { Contour } from '../../../native/types.js';
import { contourShapefile } from '../../../serialization/shapefile.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';

const JSON_TYPE = 'application/json';
const ZIP_TYPE = 'application/x-zip-compressed';

/** Accepted names of the formats; the first of each is the media type sent. */
export const FORMATS: Readonly<Record<string, readonly string[]>> = {
  geojson: [JSON_TYPE, 'application/geo+json', 'application/vnd.geo+json'],
  shapefile: [ZIP_TYPE, 'application/zip'],
};

/** Form of the answer, and names in its shapefile. */
export const SHAPEFILE = parameters({
  format: parameter.choice(['geojson', 'shapefile'], 'Form of the answer, instead of the Accept header'),
  shpName: parameter.text(
    'Base name of the shapefile; by default `null`, with `format` `isochrone`, or the first word of a stop near the place',
  ),
  stream: parameter.boolean('`false` puts a second archive with the same files into the archive', { default: true }),
});

/** Decimals of coordinates in shapefiles: about a centimetre. */
export const FINE_DECIMALS = 7;

/** Whether the client wants a shapefile, by `format` or by the Accept header. */
export function wantsShapefile(ctx: Context, query: Query): boolean {
  const format = query.given(SHAPEFILE.format);
  if (format !== undefined) return format === 'shapefile';
  return FORMATS.shapefile?.includes(String(ctx.state.mediaType)) ?? false;
}

/**
 * The name of a shapefile without `shpName`. Clients that ask for one by the Accept header, as the interface has it,
 * open `null.shp`.
 */
export function unnamedShapefile(query: Query): string {
  return query.given(SHAPEFILE.format) === undefined ? 'null' : 'isochrone';
}

/** Sends contours as a zipped shapefile; `name` is used unless the request gives another. */
export async function respondShapefile(
  ctx: Context,
  contours: readonly Contour[],
  query: Query,
  as: { column: 'time' | 'Time'; name: string; projection?: string },
): Promise<void> {
  const name = shapefileName(query.given(SHAPEFILE.shpName) ?? as.name);
  const files = contourShapefile(contours, as.column, as.projection);
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
