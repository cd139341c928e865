/** Reads the file of a point set in any of its formats. */

import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { readGeoJsonPoints } from './geo-json-points.js';
import { MAX_POINT_SET_BYTES, type PointSet, PointSetTooLargeError } from './point-set.js';
import { readInThread } from './point-set-reader.js';
import { pointSetText } from './point-set-text.js';
import { SHAPEFILE_PARTS, type ShapefileParts } from './shapefile-parts.js';

/** Extensions of point set files; of the files of a shapefile, the one with its shapes. */
export const POINT_SET_EXTENSIONS = ['.csv', '.json', '.geojson', '.zip', '.shp'] as const;

/** All files of the set that `file` belongs to. */
export function filesOf(file: string): string[] {
  if (!/\.shp$/i.test(file)) return [file];
  const base = file.slice(0, -'shp'.length);
  return [file, ...SHAPEFILE_PARTS.filter((part) => part !== 'shp').map((part) => base + part)];
}

/** Files up to this size are read at once; larger ones in a thread, because reading them would block the server. */
const READ_AT_ONCE_BYTES = 256 * 1024;

/** Reads a set. Throws `PointSetError` when the file is not a point set. */
export async function readPointSet(file: string): Promise<PointSet> {
  const { size } = await stat(file);
  if (size > MAX_POINT_SET_BYTES) throw new PointSetTooLargeError(`more than ${MAX_POINT_SET_BYTES} bytes`);
  return size > READ_AT_ONCE_BYTES ? readInThread(file) : readHere(file);
}

/** Reads a set in this thread. Throws `PointSetError` when the file is not a point set. */
export async function readHere(file: string): Promise<PointSet> {
  switch (path.extname(file).toLowerCase()) {
    case '.csv': {
      const { readCsvPoints } = await import('./csv-points.js');
      return readCsvPoints(createReadStream(file));
    }
    case '.zip': {
      const { readShapefilePoints, unzipShapefile } = await import('./shapefile-points.js');
      return readShapefilePoints(await unzipShapefile(await readFile(file)));
    }
    case '.shp': {
      const { readShapefilePoints } = await import('./shapefile-points.js');
      return readShapefilePoints(await partsBeside(file));
    }
    default:
      return readGeoJsonPoints(pointSetText(await readFile(file)));
  }
}

async function partsBeside(file: string): Promise<ShapefileParts> {
  const parts: ShapefileParts = {};
  for (const [i, part] of filesOf(file).entries()) {
    const content = await readFile(part).catch(() => undefined);
    const name = SHAPEFILE_PARTS[i];
    if (content !== undefined && name !== undefined) parts[name] = content;
  }
  return parts;
}
