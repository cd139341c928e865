/** ESRI shapefiles of polygons: `.shp`, `.shx`, `.dbf` and `.prj`. */

import type { Contour } from '../native/types.js';

const POLYGON = 5;
const FILE_CODE = 9994;
const VERSION = 1000;
const HEADER_BYTES = 100;

/** Degrees of WGS 84 as the text of a `.prj` file. */
const DEGREES =
  'GEOGCS["WGS84(DD)", DATUM["WGS84", SPHEROID["WGS84", 6378137.0, 298.257223563]], ' +
  'PRIMEM["Greenwich", 0.0], UNIT["degree", 0.017453292519943295], ' +
  'AXIS["Geodetic longitude", EAST], AXIS["Geodetic latitude", NORTH]]';

/**
 * Contents of the files of a shapefile by extension; one record per contour with its seconds in `column`. `projection`
 * is the text of the reference system of the coordinates.
 */
export function contourShapefile(
  contours: readonly Contour[],
  column: string,
  projection = DEGREES,
): ReadonlyMap<string, Buffer> {
  const records = contours.map(polygonRecord);
  const bounds = unite(records.map((record) => record.bounds));
  const contentWords = records.map(({ content }) => content.length / 2);
  const words = contentWords.reduce((sum, length) => sum + 4 + length, HEADER_BYTES / 2);
  const shapes: Buffer[] = [header(words, bounds)];
  const index: Buffer[] = [header(HEADER_BYTES / 2 + 4 * records.length, bounds)];
  let offset = HEADER_BYTES / 2;
  for (const [i, { content }] of records.entries()) {
    shapes.push(pair(i + 1, content.length / 2), content);
    index.push(pair(offset, content.length / 2));
    offset += 4 + content.length / 2;
  }
  return new Map([
    ['shp', Buffer.concat(shapes)],
    ['shx', Buffer.concat(index)],
    ['dbf', table(contours, column)],
    ['prj', Buffer.from(projection)],
    ['fix', Buffer.alloc(0)],
  ]);
}

type Bounds = [west: number, south: number, east: number, north: number];

interface PolygonRecord {
  content: Buffer;
  bounds: Bounds;
}

/** Record numbers and lengths are big-endian, unlike everything else. */
function pair(a: number, b: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeInt32BE(a, 0);
  bytes.writeInt32BE(b, 4);
  return bytes;
}

function header(words: number, bounds: Bounds): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeInt32BE(FILE_CODE, 0);
  bytes.writeInt32BE(words, 24);
  bytes.writeInt32LE(VERSION, 28);
  bytes.writeInt32LE(POLYGON, 32);
  for (const [i, value] of bounds.entries()) bytes.writeDoubleLE(value, 36 + 8 * i);
  return bytes;
}

/** Shells run clockwise and holes counter-clockwise here, so every ring is written backwards. */
function polygonRecord({ rings, coordinates }: Contour): PolygonRecord {
  const points = coordinates.length / 2;
  const bytes = Buffer.alloc(44 + 4 * rings.length + 16 * points);
  const bounds = boundsOf(coordinates);
  bytes.writeInt32LE(POLYGON, 0);
  for (const [i, value] of bounds.entries()) bytes.writeDoubleLE(value, 4 + 8 * i);
  bytes.writeInt32LE(rings.length, 36);
  bytes.writeInt32LE(points, 40);
  let first = 0;
  let at = 44 + 4 * rings.length;
  for (const [i, length] of rings.entries()) {
    bytes.writeInt32LE(first, 44 + 4 * i);
    for (let point = first + length - 1; point >= first; point -= 1) {
      bytes.writeDoubleLE(coordinates[2 * point] ?? 0, at);
      bytes.writeDoubleLE(coordinates[2 * point + 1] ?? 0, at + 8);
      at += 16;
    }
    first += length;
  }
  return { content: bytes, bounds };
}

function boundsOf(coordinates: Float64Array): Bounds {
  if (coordinates.length === 0) return [0, 0, 0, 0];
  const bounds: Bounds = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < coordinates.length; i += 2) {
    const [lon, lat] = [coordinates[i] ?? 0, coordinates[i + 1] ?? 0];
    bounds[0] = Math.min(bounds[0], lon);
    bounds[1] = Math.min(bounds[1], lat);
    bounds[2] = Math.max(bounds[2], lon);
    bounds[3] = Math.max(bounds[3], lat);
  }
  return bounds;
}

function unite(all: readonly Bounds[]): Bounds {
  const drawn = all.filter(([west, south, east, north]) => west !== east || south !== north);
  if (drawn.length === 0) return [0, 0, 0, 0];
  const side = (i: 0 | 1 | 2 | 3, choose: (...values: number[]) => number) => choose(...drawn.map((b) => b[i]));
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}

const COLUMN_WIDTH = 9;

/** A dBase III table with one whole-number column. */
function table(contours: readonly Contour[], column: string): Buffer {
  const header = Buffer.alloc(32 + 32 + 1);
  const today = new Date();
  header.writeUInt8(3, 0);
  header.writeUInt8(today.getUTCFullYear() - 1900, 1);
  header.writeUInt8(today.getUTCMonth() + 1, 2);
  header.writeUInt8(today.getUTCDate(), 3);
  header.writeUInt32LE(contours.length, 4);
  header.writeUInt16LE(header.length, 8);
  header.writeUInt16LE(1 + COLUMN_WIDTH, 10);
  header.write(column, 32, 10, 'latin1');
  header.write('N', 32 + 11, 'latin1');
  header.writeUInt8(COLUMN_WIDTH, 32 + 16);
  header.writeUInt8(0x0d, 64);
  const rows = contours.map(({ seconds }) => ` ${String(seconds).padStart(COLUMN_WIDTH)}`).join('');
  return Buffer.concat([header, Buffer.from(`${rows}\x1a`, 'latin1')]);
}
