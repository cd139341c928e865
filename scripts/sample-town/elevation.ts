import { writeFileSync } from 'node:fs';
import { writeArrayBuffer } from 'geotiff';
import type { Terrain } from './terrain.js';

/** Degrees between values: about 30 m, more for towns whose raster would pass {@link LARGEST} values a side. */
const STEP = 1 / 3600;
const LARGEST = 1500;

/** Writes the terrain as a GeoTIFF: 32-bit floats, WGS84, placed by tie point and pixel scale. */
export function writeElevation(path: string, terrain: Terrain): void {
  const { south, west, north, east } = terrain.bounds();
  const step = Math.max(STEP, (east - west) / LARGEST, (north - south) / LARGEST);
  const width = Math.ceil((east - west) / step) + 1;
  const height = Math.ceil((north - south) / step) + 1;
  const values = new Float32Array(width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      values[row * width + column] = terrain.height({ lat: north - row * step, lon: west + column * step });
    }
  }
  const tags = {
    width,
    height,
    BitsPerSample: [32],
    SampleFormat: [3],
    ModelTiepoint: [0, 0, 0, west, north, 0],
    ModelPixelScale: [step, step, 0],
    GTModelTypeGeoKey: 2,
    GTRasterTypeGeoKey: 1,
    GeographicTypeGeoKey: 4326,
    GeogCitationGeoKey: 'WGS 84',
  };
  writeFileSync(path, Buffer.from(writeArrayBuffer(values, tags)));
}
