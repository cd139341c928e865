/** Point sets from GeoJSON. */

import { areaCentre, type Position } from '../area-centre.js';
import { quoted } from '../quoted.js';
import {
  isAmount,
  notAnAmount,
  type PointGeometry,
  type PointSet,
  PointSetError,
  RowProblems,
  requireProperties,
  requireSize,
  SHOWN_FEATURES,
} from './point-set.js';

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
  problems.add(`feature ${number}, ${name}: ${notAnAmount(value)}`);
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
  const area = rings.map((ring) => ring.map((point) => position(point, index, problems)));
  const [outline = []] = area;
  if (outline.length === 0) return undefined;
  return { geometry: { type: 'Polygon', coordinates: [outline] }, center: areaCentre(area) };
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
