/** Vector tiles, read by a library that others made. */

import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';

/** A feature of a tile. */
export interface TileFeature {
  readonly properties: Readonly<Record<string, unknown>>;
  /** 1 points, 2 lines, 3 areas. */
  readonly type: number;
  /** Points of each part, 4096 to the side of the tile. */
  readonly parts: readonly (readonly { x: number; y: number }[])[];
}

/** The features of each layer of a tile; checks what the format asks of layers. */
export function readTile(bytes: Uint8Array): Record<string, TileFeature[]> {
  const { layers } = new VectorTile(new PbfReader(bytes));
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => {
      if (layer.version !== 2 || layer.extent !== 4096) throw new Error(`${name}: version ${layer.version}`);
      const features = Array.from({ length: layer.length }, (_, i) => {
        const feature = layer.feature(i);
        return { properties: { ...feature.properties }, type: feature.type, parts: feature.loadGeometry() };
      });
      return [name, features];
    }),
  );
}

/** The tile of a zoom that a position is in, and where it is there, 4096 to the side. */
export function tileAround({ lat, lon }: { lat: number; lon: number }, z: number) {
  const column = ((lon + 180) / 360) * 2 ** z;
  const row = (0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** z;
  const [x, y] = [Math.floor(column), Math.floor(row)];
  return { path: `${z}/${x}/${y}.pbf`, at: { x: (column - x) * 4096, y: (row - y) * 4096 } };
}
