/** Which municipality a location is in, by polygons of a GeoJSON file or a shapefile. */

import { readFile } from 'node:fs/promises';
import type { Feature, MultiPolygon, Polygon, Position } from 'geojson';
import { combine, parseDbf, parseShp } from 'shpjs';
import { documentText } from '../charset.js';
import { quoted } from '../quoted.js';

type Boundary = Feature<Polygon | MultiPolygon>;

interface Municipality {
  readonly name: string;
  /** Polygons, each an outer ring and its holes. */
  readonly polygons: readonly Position[][][];
  /** West, south, east, north. */
  readonly bounds: readonly [number, number, number, number];
}

export class Municipalities {
  private constructor(private readonly all: readonly Municipality[]) {}

  /** Reads the boundaries. Throws when there are none. */
  static async read(file: string, nameField = 'name'): Promise<Municipalities> {
    const boundaries = await features(file);
    const all = boundaries.flatMap((feature) => municipality(feature, nameField));
    if (all.length === 0) throw new Error(`${file}: no polygon has a property ${quoted(nameField)}`);
    return new Municipalities(all);
  }

  /** The name of the municipality at a location; if there are several, of the smallest. */
  nameAt(lat: number, lon: number): string | undefined {
    const around = this.all.filter(({ bounds: [west, south, east, north], polygons }) => {
      const near = lon >= west && lon <= east && lat >= south && lat <= north;
      return near && polygons.some((rings) => isInside(rings, lon, lat));
    });
    return around.sort((a, b) => extent(a) - extent(b))[0]?.name;
  }
}

async function features(file: string): Promise<Boundary[]> {
  const isShapefile = file.toLowerCase().endsWith('.shp');
  const collection = isShapefile ? await shapes(file) : JSON.parse(documentText(await readFile(file)));
  const rows: Feature[] = collection.features ?? [];
  return rows.filter(
    (row): row is Boundary => row.geometry?.type === 'Polygon' || row.geometry?.type === 'MultiPolygon',
  );
}

/** The shapes with their table, in the reference system and the encoding given by the files beside them. */
async function shapes(file: string) {
  const beside = (extension: string) => readFile(file.replace(/shp$/i, extension));
  const optional = (extension: string) => beside(extension).catch(() => undefined);
  const [shp, dbf, prj, cpg] = await Promise.all([beside('shp'), beside('dbf'), optional('prj'), optional('cpg')]);
  return combine([parseShp(shp, prj), parseDbf(dbf, cpg)]);
}

function municipality({ geometry, properties }: Boundary, nameField: string): Municipality[] {
  const name = properties?.[nameField];
  if (name === undefined || name === null || name === '') return [];
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const outline = polygons.flatMap((rings) => rings[0] ?? []);
  const [lons, lats] = [0, 1].map((axis) => outline.map((position) => position[axis] ?? Number.NaN)) as [
    number[],
    number[],
  ];
  const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const bounds = [least(lons), least(lats), most(lons), most(lats)] as const;
  return [{ name: String(name).trim(), polygons, bounds }];
}

/** Inside the outer ring and not in a hole: a ray to the east crosses the rings an odd number of times. */
function isInside(rings: readonly Position[][], lon: number, lat: number): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 1) {
      const [x1 = 0, y1 = 0] = ring[i] ?? [];
      const [x2 = 0, y2 = 0] = ring[(i + ring.length - 1) % ring.length] ?? [];
      const crosses = y1 > lat !== y2 > lat && lon < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1;
      if (crosses) inside = !inside;
    }
  }
  return inside;
}

/** Area within the outer rings, square degrees. */
function extent({ polygons }: Municipality): number {
  return polygons.reduce((sum, [outer = []]) => sum + areaOf(outer), 0);
}

function areaOf(ring: readonly Position[]): number {
  let twice = 0;
  for (let i = 0; i < ring.length; i += 1) {
    const [x1 = 0, y1 = 0] = ring[i] ?? [];
    const [x2 = 0, y2 = 0] = ring[(i + 1) % ring.length] ?? [];
    twice += x1 * y2 - x2 * y1;
  }
  return Math.abs(twice) / 2;
}
