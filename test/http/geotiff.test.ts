/**
 * Checks the positions of GeoTIFFs: pixels of rasters against times at positions computed from the tags by other
 * formulas.
 */

import test from 'ava';
import { fromArrayBuffer } from 'geotiff';
import sharp from 'sharp';
import { serveAnalysis } from '../support/analysis-town.js';
import { builtBefore } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const town = builtBefore(test, buildSampleTown);

type Position = { lat: number; lon: number };

const DEGREES = 180 / Math.PI;
/** WGS 84. */
const A = 6_378_137;
const E2 = 0.006_694_379_990_14;

/** Inverse of web Mercator. */
function fromMercator(x: number, y: number): Position {
  return { lat: (2 * Math.atan(Math.exp(y / A)) - Math.PI / 2) * DEGREES, lon: (x / A) * DEGREES };
}

/**
 * Inverse of a UTM zone: Snyder, Map Projections: A Working Manual (USGS Professional Paper 1395), equations 8-17 to
 * 8-25.
 */
function fromUtm(zone: number, falseNorthing: number) {
  return (easting: number, northing: number): Position => {
    const [scale, prime] = [0.9996, E2 / (1 - E2)];
    const root = Math.sqrt(1 - E2);
    const e1 = (1 - root) / (1 + root);
    const mu = (northing - falseNorthing) / scale / (A * (1 - E2 / 4 - (3 * E2 ** 2) / 64 - (5 * E2 ** 3) / 256));
    const foot =
      mu +
      ((3 * e1) / 2 - (27 * e1 ** 3) / 32) * Math.sin(2 * mu) +
      ((21 * e1 ** 2) / 16 - (55 * e1 ** 4) / 32) * Math.sin(4 * mu) +
      ((151 * e1 ** 3) / 96) * Math.sin(6 * mu) +
      ((1097 * e1 ** 4) / 512) * Math.sin(8 * mu);
    const c = prime * Math.cos(foot) ** 2;
    const t = Math.tan(foot) ** 2;
    const curve = 1 - E2 * Math.sin(foot) ** 2;
    const n = A / Math.sqrt(curve);
    const r = (A * (1 - E2)) / curve ** 1.5;
    const d = (easting - 500_000) / (n * scale);
    const lat =
      foot -
      ((n * Math.tan(foot)) / r) *
        (d ** 2 / 2 -
          ((5 + 3 * t + 10 * c - 4 * c ** 2 - 9 * prime) * d ** 4) / 24 +
          ((61 + 90 * t + 298 * c + 45 * t ** 2 - 252 * prime - 3 * c ** 2) * d ** 6) / 720);
    const lon =
      (d -
        ((1 + 2 * t + c) * d ** 3) / 6 +
        ((5 - 2 * c + 28 * t - 3 * c ** 2 + 8 * prime + 24 * t ** 2) * d ** 5) / 120) /
      Math.cos(foot);
    return { lat: lat * DEGREES, lon: lon * DEGREES + zone * 6 - 183 };
  };
}

const SYSTEMS: ReadonlyArray<readonly [crs: number, projected: boolean, position: (x: number, y: number) => Position]> =
  [
    [4326, false, (lon, lat) => ({ lat, lon })],
    [3857, true, fromMercator],
    [32633, true, fromUtm(33, 0)],
    [32733, true, fromUtm(33, 10_000_000)],
    [32632, true, fromUtm(32, 0)],
    [25833, true, fromUtm(33, 0)],
  ];

/** Walking speed of indicators, for which they give the same times as pixels. */
const WALK_SPEED = 1.3;
const [WIDTH, HEIGHT, STEP] = [240, 180, 5];
const NO_DATA = 128;
const UNREACHED = 2 ** 31 - 1;

for (const [crs, projected, position] of SYSTEMS) {
  test(`EPSG:${crs}: every pixel holds the minutes at its position`, async (t) => {
    const { app, surface } = await serveAnalysis(t, town, await temporaryDirectory(t));
    const id = await surface(`&walkSpeed=${WALK_SPEED}`);
    const raster = await app.get(`/surfaces/${id}/raster?crs=EPSG:${crs}&width=${WIDTH}&height=${HEIGHT}`);
    const file = await raster.arrayBuffer();
    const image = await (await fromArrayBuffer(file)).getImage();
    const keys = image.getGeoKeys() as Record<string, number>;
    t.is(keys.GTModelTypeGeoKey, projected ? 1 : 2);
    t.is(keys.GTRasterTypeGeoKey, 1, 'the origin is the corner of a pixel');
    t.is(projected ? keys.ProjectedCSTypeGeoKey : keys.GeographicTypeGeoKey, crs);
    t.is(image.getGDALNoData(), NO_DATA);

    const matrix = Array.from(image.fileDirectory.getValue('ModelTransformation') as Iterable<number>);
    const [dx = 0, , , west = 0, , dy = 0, , north = 0] = matrix;
    t.true(dx > 0 && dy < 0, 'rows run from north to south');
    t.deepEqual(matrix, [dx, 0, 0, west, 0, dy, 0, north, 0, 0, 0, 0, 0, 0, 0, 1]);
    const band = await sharp(Buffer.from(file)).toColourspace('b-w').raw().toBuffer();
    t.is(band.length, WIDTH * HEIGHT);
    const pixels: Array<{ minutes: number | undefined; at: Position }> = [];
    for (let row = 0; row < HEIGHT; row += STEP) {
      for (let column = 0; column < WIDTH; column += STEP) {
        const at = position(west + (column + 0.5) * dx, north + (row + 0.5) * dy);
        pixels.push({ minutes: band[row * WIDTH + column], at });
      }
    }
    const body = `lat,lon\n${pixels.map(({ at: { lat, lon } }) => `${lat},${lon}\n`).join('')}`;
    const headers = { 'Content-Type': 'text/csv' };
    t.is((await app.request('/pointsets/pixels', { method: 'POST', body, headers })).status, 201);
    const { times } = await app.json(`/surfaces/${id}/indicator?targets=pixels&detail=true`);
    const same = pixels.filter(({ minutes }, i) => {
      const seconds: number = times[i];
      return minutes === (seconds === UNREACHED ? NO_DATA : Math.min(120, Math.trunc(seconds / 60)));
    });
    const reached = pixels.filter(({ minutes }) => minutes !== NO_DATA);
    t.true(reached.length > pixels.length / 4, `${reached.length} of ${pixels.length} pixels are reached`);
    t.true(same.length >= 0.99 * pixels.length, `${same.length} of ${pixels.length}`);
  });
}
