import { writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { globals, writeArrayBuffer } from 'geotiff';
import type { Terrain } from './terrain.js';

/** Degrees between values: about 30 m, more for towns whose raster would pass {@link LARGEST} values a side. */
const STEP = 1 / 3600;
const LARGEST = 1500;

/** GeoTIFF's names for what {@link predicted} and zlib do. */
const DEFLATE = 8;
const FLOATING_POINT_PREDICTOR = 3;

// The writer knows the tag by its name only.
Object.assign(globals.fieldTagTypes, { [globals.tags.Predictor ?? 317]: 'SHORT' });

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
  // Not compressed here: brotli then makes the file smaller, and every version of zlib writes the same bytes.
  const strip = new Uint8Array(deflateSync(predicted(values, width), { level: 0 }));
  const tags = {
    width,
    height,
    BitsPerSample: [32],
    SampleFormat: [3],
    SamplesPerPixel: [1],
    PhotometricInterpretation: 1,
    Compression: DEFLATE,
    Predictor: [FLOATING_POINT_PREDICTOR],
    StripByteCounts: [strip.length],
    ModelTiepoint: [0, 0, 0, west, north, 0],
    ModelPixelScale: [step, step, 0],
    GTModelTypeGeoKey: 2,
    GTRasterTypeGeoKey: 1,
    GeographicTypeGeoKey: 4326,
    GeogCitationGeoKey: 'WGS 84',
  };
  writeFileSync(path, Buffer.from(writeArrayBuffer(strip, tags)));
}

/**
 * The first bytes of all values of a row, then their second bytes and so on, each as the difference from the byte
 * before. Heights that are near each other differ only in their last bytes, so half of the result is zeros, which
 * compress well (TIFF technical note 3).
 */
function predicted(values: Float32Array, width: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(4));
  const rows = new Uint8Array(values.length * 4);
  for (const [index, value] of values.entries()) {
    const column = index % width;
    const row = (index - column) * 4;
    bytes.setFloat32(0, value);
    for (let part = 0; part < 4; part++) rows[row + part * width + column] = bytes.getUint8(part);
  }
  for (let at = rows.length - 1; at > 0; at--) {
    if (at % (width * 4) !== 0) rows[at] = (rows[at] ?? 0) - (rows[at - 1] ?? 0);
  }
  return rows;
}
