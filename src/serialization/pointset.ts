/** Point sets as GeoJSON. */

import type { PointSet } from '../analysis/point-set.js';

/** A feature collection with the magnitudes of every feature in `structured`. */
export function pointSetDocument(set: PointSet): object {
  const schema = Object.fromEntries(
    [...set.properties].map(([name, { label, style }]) => [name, { ...(label === undefined ? {} : { label }), style }]),
  );
  const features = Array.from({ length: set.size }, (_, i) => {
    const id = set.ids?.[i] ?? null;
    const point = { type: 'Point', coordinates: [set.positions[2 * i + 1], set.positions[2 * i]] };
    const geometry = set.geometries?.[i] ?? point;
    const structured = Object.fromEntries([...set.properties].map(([name, { amounts }]) => [name, amounts[i]]));
    return { id, type: 'Feature', geometry, properties: { structured } };
  });
  const { id, label, description } = set;
  const known = Object.fromEntries(
    Object.entries({ id, label, description }).filter(([, value]) => value !== undefined),
  );
  return { type: 'FeatureCollection', properties: { ...known, schema }, features };
}
