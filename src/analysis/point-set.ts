/** Point sets: places with magnitudes, read from CSV and GeoJSON. */

import { parse } from 'csv-parse/sync';

/** A magnitude of every feature. */
export interface PointProperty {
  readonly label?: string;
  readonly style: Readonly<Record<string, string>>;
  /** One whole number per feature. */
  readonly amounts: Int32Array;
}

/** One feature. */
export interface PointFeature {
  readonly id: string | null;
  /** Shown as it was read: a point, or the outline of a polygon. */
  readonly geometry: { readonly type: 'Point' | 'Polygon'; readonly coordinates: unknown };
}

/** Places with magnitudes. */
export interface PointSet {
  readonly id?: string;
  readonly label?: string;
  readonly description?: string;
  readonly features: readonly PointFeature[];
  /** lat, lon, lat, lon, ... */
  readonly positions: Float64Array;
  readonly properties: ReadonlyMap<string, PointProperty>;
}

/** A file that is no point set; the message names the row and what is wrong with it. */
export class PointSetError extends Error {}

/** Most features of a set. */
export const MAX_POINTS = 2_000_000;

/** Reads a set in the format that its file name or content says. */
export function parsePointSet(name: string, text: string): PointSet {
  return /\.csv$/i.test(name) ? parseCsvPoints(text) : parseGeoJsonPoints(text);
}

const LATITUDE = new Set(['lat', 'latitude']);
const LONGITUDE = new Set(['lon', 'longitude', 'lng']);
const WHOLE = /^[+-]?\d{1,10}$/;

/**
 * A header row, columns for latitude and longitude; every other column is a whole-number magnitude, unless only the
 * places are wanted.
 */
export function parseCsvPoints(text: string, wanted: 'all' | 'places' = 'all'): PointSet {
  const rows = readRows(text);
  const header = (rows.shift() ?? []).map((name) => name.trim());
  const find = (names: ReadonlySet<string>) => header.findIndex((name) => names.has(name.toLowerCase()));
  const [latColumn, lonColumn] = [find(LATITUDE), find(LONGITUDE)];
  if (latColumn < 0 || lonColumn < 0) throw new PointSetError('row 1: columns lat and lon are required');
  if (rows.length > MAX_POINTS) throw new PointSetError(`more than ${MAX_POINTS} rows`);
  const positions = new Float64Array(rows.length * 2);
  const columns = header.map((name, column) => ({ name, column, amounts: new Int32Array(rows.length) }));
  const magnitudes = columns.filter(({ column }) => wanted === 'all' && column !== latColumn && column !== lonColumn);
  const features: PointFeature[] = rows.map((row, i) => {
    const where = `row ${i + 2}`;
    const [lat, lon] = [coordinate(row[latColumn], 90, where), coordinate(row[lonColumn], 180, where)];
    positions.set([lat, lon], 2 * i);
    for (const { name, column, amounts } of magnitudes) amounts[i] = whole(row[column], `${where}, ${name}`);
    return { id: null, geometry: { type: 'Point', coordinates: [lon, lat] } };
  });
  const properties = new Map(magnitudes.map(({ name, amounts }) => [name, { style: {}, amounts }]));
  return { features, positions, properties };
}

function readRows(text: string): string[][] {
  try {
    return parse(text, { bom: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw new PointSetError((error as Error).message);
  }
}

function coordinate(text: string | undefined, limit: number, where: string): number {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  if (!(Math.abs(value) <= limit)) throw new PointSetError(`${where}: ${JSON.stringify(text)} is no coordinate`);
  return value;
}

function whole(text: string | undefined, where: string): number {
  const value = text !== undefined && WHOLE.test(text) ? Number(text) : Number.NaN;
  if (!(Math.abs(value) < 2 ** 31)) throw new PointSetError(`${where}: ${JSON.stringify(text)} is no whole number`);
  return value;
}

type Position = [number, number];

interface GeoJsonFeature {
  id?: string | number;
  geometry?: { type?: string; coordinates?: unknown } | null;
  properties?: { structured?: unknown } | null;
}

interface GeoJsonSet {
  properties?: {
    id?: string;
    label?: string;
    description?: string;
    schema?: Record<string, { label?: string; style?: Record<string, string> } | null> | null;
  } | null;
  features?: (GeoJsonFeature | null)[];
}

/** A feature collection; values are in `properties.structured`, features without them are left out. */
export function parseGeoJsonPoints(text: string): PointSet {
  let root: GeoJsonSet | null;
  try {
    root = JSON.parse(text) as GeoJsonSet | null;
  } catch (error) {
    throw new PointSetError((error as Error).message);
  }
  if (!Array.isArray(root?.features) || root.features.length === 0) throw new PointSetError('features: none');
  if (root.features.length > MAX_POINTS) throw new PointSetError(`more than ${MAX_POINTS} features`);
  const kept = root.features.flatMap((feature, i) => {
    const outline = outlineOf(feature, i);
    const values = record(feature?.properties?.structured);
    return outline && values ? [{ ...outline, id: feature?.id === undefined ? null : String(feature.id), values }] : [];
  });
  const positions = Float64Array.from(kept.flatMap(({ center: [lon, lat] }) => [lat, lon]));
  const { id, label, description, schema } = root.properties ?? {};
  const names = new Set([...Object.keys(schema ?? {}), ...kept.flatMap(({ values }) => Object.keys(values))]);
  const properties = new Map(
    [...names].map((name) => {
      const amounts = Int32Array.from(kept, ({ values }, i) => amount(values[name], `feature ${i + 1}, ${name}`));
      const shown = schema?.[name];
      return [
        name,
        { ...(shown?.label === undefined ? {} : { label: shown.label }), style: shown?.style ?? {}, amounts },
      ];
    }),
  );
  return {
    ...(id === undefined ? {} : { id }),
    ...(label === undefined ? {} : { label }),
    ...(description === undefined ? {} : { description }),
    features: kept.map(({ id, geometry }) => ({ id, geometry })),
    positions,
    properties,
  };
}

function amount(value: unknown, where: string): number {
  if (value === undefined) return 0;
  if (!Number.isInteger(value) || Math.abs(value as number) >= 2 ** 31) {
    throw new PointSetError(`${where}: ${JSON.stringify(value)} is no whole number`);
  }
  return value as number;
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function outlineOf(
  feature: GeoJsonFeature | null,
  i: number,
): (Pick<PointFeature, 'geometry'> & { center: Position }) | undefined {
  const { type, coordinates } = feature?.geometry ?? {};
  if (type === 'Point') return { geometry: { type, coordinates }, center: position(coordinates, i) };
  const ring =
    type === 'Polygon' ? at(coordinates, 0) : type === 'MultiPolygon' ? at(at(coordinates, 0), 0) : undefined;
  if (!Array.isArray(ring)) return undefined;
  const shell = ring.map((point) => position(point, i));
  return { geometry: { type: 'Polygon', coordinates: [shell] }, center: centroid(shell) };
}

function at(value: unknown, index: number): unknown {
  return Array.isArray(value) ? value[index] : undefined;
}

function position(value: unknown, i: number): Position {
  const [lon, lat] = [at(value, 0), at(value, 1)];
  if (typeof lon !== 'number' || typeof lat !== 'number' || !(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) {
    throw new PointSetError(`feature ${i + 1}: no coordinate`);
  }
  return [lon, lat];
}

/** Centre of gravity of a ring; of its corners when it encloses nothing. */
function centroid(ring: readonly Position[]): Position {
  let [area, x, y] = [0, 0, 0];
  const [x0, y0] = ring[0] ?? [0, 0];
  for (let i = 0; i + 1 < ring.length; i += 1) {
    const [ax, ay] = [(ring[i]?.[0] ?? 0) - x0, (ring[i]?.[1] ?? 0) - y0];
    const [bx, by] = [(ring[i + 1]?.[0] ?? 0) - x0, (ring[i + 1]?.[1] ?? 0) - y0];
    const cross = ax * by - bx * ay;
    area += cross;
    x += (ax + bx) * cross;
    y += (ay + by) * cross;
  }
  if (area !== 0) return [x0 + x / (3 * area), y0 + y / (3 * area)];
  const mean = (index: 0 | 1) => ring.reduce((sum, point) => sum + point[index], 0) / Math.max(1, ring.length);
  return [mean(0), mean(1)];
}
