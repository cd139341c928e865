/** The parts of shpjs that are used; its published types are those of an older version. */
declare module 'shpjs' {
  /** A shape in WGS 84 as GeoJSON, with its row of the table. */
  export interface ShapefileRow {
    geometry: { type?: string; coordinates?: unknown } | null;
    properties: Record<string, unknown>;
  }

  /** Shapes, reprojected by the text of a `.prj` file. */
  export function parseShp(shp: Uint8Array, prj?: Uint8Array | string): Array<ShapefileRow['geometry']>;

  /** Rows of a table; `cpg` names its encoding. */
  export function parseDbf(dbf: Uint8Array, cpg?: Uint8Array | string): Array<ShapefileRow['properties']>;

  /** Shapes and rows together. */
  export function combine(parts: [Array<ShapefileRow['geometry']>, Array<ShapefileRow['properties']>]): {
    features: ShapefileRow[];
  };
}
