/** Point sets from ESRI shapefiles: separate files, or together in a zip. */

import { isUtf8 } from 'node:buffer';
import { combine, parseDbf, parseShp, type ShapefileRow } from 'shpjs';
import type { Entry, ZipFile } from 'yauzl';
import { zipOf } from '../zip-file.js';
import { type Outline, outlinedFeatures, outlineOf } from './geo-json-points.js';
import {
  isAmount,
  MAX_POINT_SET_BYTES,
  type PointProperty,
  type PointSet,
  PointSetError,
  PointSetTooLargeError,
  RowProblems,
  requireSize,
} from './point-set.js';
import { partOf, type ShapefileParts } from './shapefile-parts.js';

/** Least length of a dBase file's header, and where it has the number of records and its length. */
const TABLE_HEADER_BYTES = 32;
const RECORD_COUNT_OFFSET = 4;
const HEADER_LENGTH_OFFSET = 8;
/** The encoding of tables that do not name one and are not in UTF-8. */
const USUAL_ENCODING = 'windows-1252';
/** In a shape file: where its records start, and the length of a record's header. */
const SHAPES_OFFSET = 100;
const SHAPE_HEADER_BYTES = 8;

/**
 * Points and polygons in the reference system of the `.prj`. Attributes whose values are all whole numbers (or texts of
 * whole numbers) become magnitudes; ids come from an attribute `id`, or are row numbers from 0.
 */
export function readShapefilePoints(parts: ShapefileParts): PointSet {
  if (parts.shp === undefined || parts.dbf === undefined) throw new PointSetError('both .shp and .dbf are required');
  const rows = readShapes(parts.shp, parts.dbf, parts);
  const problems = new RowProblems();
  const outlines = rows.map(({ geometry }, i): Outline | undefined => {
    const outline = outlineOf(geometry, i, problems);
    if (outline === undefined) problems.add(`row ${i + 1}: neither a point nor a polygon`);
    return outline;
  });
  problems.throwIfAny();
  const names = Object.keys(rows[0]?.properties ?? {});
  const idName = names.find((name) => name.toLowerCase() === 'id');
  const features = (outlines as Outline[]).map((outline, i) => {
    const id = idName === undefined ? i : rows[i]?.properties[idName];
    return { ...outline, id: String(id ?? i) };
  });
  const properties = new Map<string, PointProperty>();
  for (const name of names.filter((candidate) => candidate !== idName)) {
    const amounts = wholeNumbers(rows.map((row) => row.properties[name]));
    if (amounts !== undefined) properties.set(name, { style: {}, amounts });
  }
  return { ...outlinedFeatures(features), properties };
}

function readShapes(shapes: Buffer, table: Buffer, { prj, cpg }: ShapefileParts): ShapefileRow[] {
  const shapeCount = countShapes(shapes);
  const rowCount = table.length < TABLE_HEADER_BYTES ? 0 : table.readUInt32LE(RECORD_COUNT_OFFSET);
  requireSize(Math.max(shapeCount, rowCount));
  if (shapeCount !== rowCount) throw new PointSetError(`${shapeCount} shapes, but ${rowCount} rows in the table`);
  try {
    return combine([parseShp(shapes, prj), parseDbf(table, cpg ?? encodingOf(table))]).features;
  } catch (error) {
    throw new PointSetError(`the shapefile cannot be read: ${(error as Error).message}`);
  }
}

/** The encoding of a table without a `.cpg`; undefined for UTF-8. */
function encodingOf(table: Buffer): string | undefined {
  return isUtf8(table.subarray(table.readUInt16LE(HEADER_LENGTH_OFFSET))) ? undefined : USUAL_ENCODING;
}

/** Counts the records by their lengths; a file that ends within a record is refused. */
function countShapes(shapes: Buffer): number {
  let count = 0;
  let at = SHAPES_OFFSET;
  while (at + SHAPE_HEADER_BYTES <= shapes.length) {
    at += SHAPE_HEADER_BYTES + 2 * shapes.readUInt32BE(at + 4);
    count += 1;
  }
  if (at !== shapes.length) throw new PointSetError('the .shp file ends within a shape');
  return count;
}

/** `undefined` when a value is neither blank nor a whole number, or all are blank. */
function wholeNumbers(values: readonly unknown[]): Int32Array | undefined {
  const amounts = new Int32Array(values.length);
  let known = 0;
  for (const [i, value] of values.entries()) {
    const text = typeof value === 'string' ? value.replaceAll('\0', '').trim() : value;
    if (text === undefined || text === '' || Number.isNaN(text)) continue;
    const amount = typeof text === 'string' ? Number(text) : text;
    if (!isAmount(amount)) return undefined;
    amounts[i] = amount;
    known += 1;
  }
  return known > 0 ? amounts : undefined;
}

export async function unzipShapefile(zip: Buffer): Promise<ShapefileParts> {
  const parts: ShapefileParts = {};
  let left = MAX_POINT_SET_BYTES;
  try {
    const archive = await zipOf(zip);
    for await (const entry of archive.eachEntry()) {
      const part = partOf(entry.fileName);
      if (part === undefined) continue;
      if (parts[part] !== undefined) throw new PointSetError(`the zip holds more than one .${part} file`);
      parts[part] = await contentOf(archive, entry, left);
      left -= parts[part].length;
    }
  } catch (error) {
    throw error instanceof PointSetError
      ? error
      : new PointSetError(`the zip cannot be read: ${(error as Error).message}`);
  }
  return parts;
}

/** Counts the bytes, because the size that the zip gives may be wrong. */
async function contentOf(archive: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await archive.openReadStreamPromise(entry)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new PointSetTooLargeError(`more than ${MAX_POINT_SET_BYTES} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
