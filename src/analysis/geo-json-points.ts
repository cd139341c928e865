/** Point sets from GeoJSON. */

import { quoted } from '../quoted.js';
import {
  isAmount,
  type PointGeometry,
  type PointSet,
  PointSetError,
  RowProblems,
  requireProperties,
  requireSize,
  SHOWN_FEATURES,
} from './point-set.js';

type Position = [number, number];

interface GeoJsonFeature {
  id?: string | number | null;
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

const NOTHING_KEPT = 'features: none is a point or polygon with its whole numbers in properties.structured';

/** A feature collection; values are in `properties.structured`, features without them are left out. */
export function readGeoJsonPoints(text: string): PointSet {
  let root: GeoJsonSet | null;
  try {
    root = JSON.parse(text.replace(/^\uFEFF/, '')) as GeoJsonSet | null;
  } catch (error) {
    throw new PointSetError((error as Error).message);
  }
  if (!Array.isArray(root?.features) || root.features.length === 0) throw new PointSetError('features: none');
  requireSize(root.features.length);
  const problems = new RowProblems();
  const kept = root.features.flatMap((feature, i) => {
    const values = record(feature?.properties?.structured);
    const outline = values && outlineOf(feature?.geometry, i, problems);
    const id = feature?.id ?? null;
    return outline ? [{ ...outline, id: id === null ? null : String(id), values, number: i + 1 }] : [];
  });
  const { id, label, description, schema } = root.properties ?? {};
  const names = new Set([...Object.keys(schema ?? {}), ...kept.flatMap(({ values }) => Object.keys(values))]);
  requireProperties(names.size);
  const properties = new Map(
    [...names].map((name) => {
      const amounts = Int32Array.from(kept, ({ values, number }) => amount(values[name], name, number, problems));
      const shown = schema?.[name];
      return [
        name,
        { ...(shown?.label === undefined ? {} : { label: shown.label }), style: shown?.style ?? {}, amounts },
      ];
    }),
  );
  problems.throwIfAny();
  if (kept.length === 0) throw new PointSetError(NOTHING_KEPT);
  return {
    ...(id === undefined ? {} : { id }),
    ...(label === undefined ? {} : { label }),
    ...(description === undefined ? {} : { description }),
    ...outlinedFeatures(kept),
    properties,
  };
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** The features of a set from outlines. */
export function outlinedFeatures(
  outlines: ReadonlyArray<Outline & { readonly id: string | null }>,
): Pick<PointSet, 'size' | 'positions' | 'ids' | 'geometries'> {
  const positions = new Float64Array(2 * outlines.length);
  for (const [i, { center }] of outlines.entries()) positions.set([center[1], center[0]], 2 * i);
  return {
    size: outlines.length,
    positions,
    ...(outlines.some(({ id }) => id !== null) ? { ids: outlines.map(({ id }) => id) } : {}),
    ...(outlines.length <= SHOWN_FEATURES ? { geometries: outlines.map(({ geometry }) => geometry) } : {}),
  };
}

function amount(value: unknown, name: string, number: number, problems: RowProblems): number {
  if (value === undefined) return 0;
  if (isAmount(value)) return value;
  problems.add(`feature ${number}, ${name}: ${quoted(value)} is not a whole number`);
  return 0;
}

/** A shape and the point that represents it. */
export interface Outline {
  readonly geometry: PointGeometry;
  readonly center: Position;
}

/**
 * The outline of a GeoJSON geometry (of a multi-polygon the first one), `undefined` for lines and other shapes. `index`
 * is the number of the feature.
 */
export function outlineOf(
  shape: { type?: string; coordinates?: unknown } | null | undefined,
  index: number,
  problems: RowProblems,
): Outline | undefined {
  const { type, coordinates } = shape ?? {};
  if (type === 'Point') return { geometry: { type, coordinates }, center: position(coordinates, index, problems) };
  const rings = type === 'Polygon' ? coordinates : type === 'MultiPolygon' ? at(coordinates, 0) : undefined;
  if (!Array.isArray(rings) || !rings.every(Array.isArray)) return undefined;
  const [shell, ...holes] = rings.map((ring) => ring.map((point) => position(point, index, problems)));
  if (shell === undefined || shell.length === 0) return undefined;
  return { geometry: { type: 'Polygon', coordinates: [shell] }, center: centroid(shell, holes) };
}

function at(value: unknown, index: number): unknown {
  return Array.isArray(value) ? value[index] : undefined;
}

function position(value: unknown, index: number, problems: RowProblems): Position {
  const [lon, lat] = [at(value, 0), at(value, 1)];
  if (typeof lon === 'number' && typeof lat === 'number' && Math.abs(lat) <= 90 && Math.abs(lon) <= 180) {
    return [lon, lat];
  }
  problems.add(`feature ${index + 1}: ${quoted(value)} is not a coordinate`);
  return [0, 0];
}

/** Centre of gravity of a polygon; if it has no area, of its corners. */
function centroid(shell: readonly Position[], holes: readonly (readonly Position[])[]): Position {
  const origin = shell[0] ?? [0, 0];
  const corners = offsets(shell, origin);
  let [area, x, y] = moments(corners);
  for (const hole of holes) {
    const [without, holeX, holeY] = moments(offsets(hole, origin));
    [area, x, y] = [area - without, x - holeX, y - holeY];
  }
  const mean = (index: 0 | 1) => corners.reduce((sum, corner) => sum + corner[index], 0) / corners.length;
  const [east, north] = area > 0 ? [x / (3 * area), y / (3 * area)] : [mean(0), mean(1)];
  return [usual(origin[0] + east), origin[1] + north];
}

/**
 * Degrees from `origin` to each position of a ring. Each side is the shorter way from corner to corner, also across the
 * 180th meridian; sides around the whole Earth, and rings around a pole, are as in a plane.
 */
function offsets(ring: readonly Position[], [lon, lat]: Position): Position[] {
  let [turns, before] = [0, lon];
  const there = ring.map(([x, y]): Position => {
    const side = x - before;
    if (Math.abs(side) > 180 && Math.abs(side) < 360) turns -= Math.sign(side);
    before = x;
    return [x - lon + 360 * turns, y - lat];
  });
  const [first, last] = [there[0], there.at(-1)];
  const isClosed = first !== undefined && last !== undefined && Math.abs(first[0] - last[0]) < 360;
  return isClosed ? there : ring.map(([x, y]) => [x - lon, y - lat]);
}

/** The same longitude within 180 degrees of zero. */
function usual(lon: number): number {
  return Math.abs(lon) <= 180 ? lon : lon - 360 * Math.round(lon / 360);
}

/** Twice the area of a ring, and six times its moments, whichever way round it is. */
function moments(ring: readonly Position[]): [area: number, x: number, y: number] {
  let [area, x, y] = [0, 0, 0];
  for (let i = 0; i + 1 < ring.length; i += 1) {
    const [ax, ay] = ring[i] ?? [0, 0];
    const [bx, by] = ring[i + 1] ?? [0, 0];
    const cross = ax * by - bx * ay;
    area += cross;
    x += (ax + bx) * cross;
    y += (ay + by) * cross;
  }
  const turn = area < 0 ? -1 : 1;
  return [turn * area, turn * x, turn * y];
}
