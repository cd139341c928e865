import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { fromFile } from 'geotiff';
import { type SampleOptions, writeSample } from '../../scripts/sample-town/index.js';
import { Terrain } from '../../scripts/sample-town/terrain.js';
import { TownPlan } from '../../scripts/sample-town/town-plan.js';
import { copySample } from '../../src/cli/sample-town.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { readFeed, readStreetMap } from './support.js';

async function generated(t: ExecutionContext, options: SampleOptions): Promise<string> {
  const directory = await temporaryDirectory(t);
  await writeSample(directory, options);
  return directory;
}

/** Hashes of the files at or below a directory by their paths there. */
async function hashes(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [relative(directory, file), hash(await readFile(file))] as const)),
  );
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The same for compressed files, by their contents, because versions of zlib write different bytes. */
async function contents(directory: string): Promise<Record<string, unknown>> {
  const {
    'streets.osm.pbf': _map,
    'city.gtfs.zip': _city,
    'region.gtfs.zip': _region,
    ...files
  } = await hashes(directory);
  const city = await readFeed(join(directory, 'city.gtfs.zip'));
  const region = await readFeed(join(directory, 'region.gtfs.zip'));
  const { nodes, ways, relations } = await readStreetMap(join(directory, 'streets.osm.pbf'));
  const streets = [nodes, ways, relations].map((elements) => [...elements]);
  return {
    files,
    city: hash(JSON.stringify(city)),
    region: hash(JSON.stringify(region)),
    streets: hash(JSON.stringify(streets)),
  };
}

test('the town in the package is what the generator makes', async (t) => {
  const shipped = await temporaryDirectory(t);
  await copySample(shipped, join(shipped, 'pointsets'));
  t.deepEqual(await contents(shipped), await contents(await generated(t, {})));
});

test('the same seed and size give the same bytes, in any time zone', async (t) => {
  const first = await hashes(await generated(t, { seed: 7, size: 'village' }));
  const zone = process.env.TZ;
  process.env.TZ = zone === 'Pacific/Apia' ? 'UTC' : 'Pacific/Apia';
  t.teardown(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  t.deepEqual(await hashes(await generated(t, { seed: 7, size: 'village' })), first);
});

test('another seed gives other streets and timetables', async (t) => {
  const one = await hashes(await generated(t, { seed: 1, size: 'village' }));
  const other = await hashes(await generated(t, { seed: 2, size: 'village' }));
  t.not(one['streets.osm.pbf'], other['streets.osm.pbf']);
  t.not(one['city.gtfs.zip'], other['city.gtfs.zip']);
});

test('the raster has the heights of the terrain at its position', async (t) => {
  const directory = await generated(t, { size: 'village' });
  const tiff = await fromFile(join(directory, 'elevation.tif'));
  const image = await tiff.getImage();
  const [west, north] = image.getOrigin() as [number, number];
  const [stepEast, stepNorth] = image.getResolution() as [number, number];
  const [read] = (await image.readRasters()) as unknown as [Float32Array];
  // This library takes floats after a predictor for little-endian ones in every file; GDAL and our build do not.
  const bytes = Buffer.from(read.buffer.slice(0)).swap32();
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, read.length);
  const terrain = new Terrain(TownPlan.of(1, 'village'));
  const summit = terrain.locate(terrain.summit);
  const column = Math.round((summit.lon - west) / stepEast);
  const row = Math.round((summit.lat - north) / stepNorth);
  const height = values[row * image.getWidth() + column] as number;
  t.true(Math.abs(height - terrain.height(summit)) < 1);
  t.true(height > 320, 'the hill stands out of the plain');
  t.is(image.getGeoKeys()?.GeographicTypeGeoKey, 4326);
});
