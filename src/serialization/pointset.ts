/** Point sets as GeoJSON. */

/** What is shown of a set. */
export interface ShownPointSet {
  readonly id?: string;
  readonly label?: string;
  readonly description?: string;
  readonly size: number;
  /** lat, lon, lat, lon, ... */
  readonly positions: Float64Array;
  readonly ids?: ReadonlyArray<string | null>;
  /** Shapes, unless all are points. */
  readonly geometries?: readonly unknown[];
  readonly properties: ReadonlyMap<
    string,
    {
      readonly label?: string;
      readonly style: Readonly<Record<string, string>>;
      readonly amounts: Int32Array;
    }
  >;
}

/** A feature collection with the magnitudes of every feature in `structured`. */
export function pointSetDocument(set: ShownPointSet): object {
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
