import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import test from 'ava';
import { fromFile } from 'geotiff';
import { type SampleOptions, writeSample } from '../../src/sample/index.js';
import { TownPlan } from '../../src/sample/plan.js';
import { Terrain } from '../../src/sample/terrain.js';
import { temporaryDirectory } from './support.js';

async function hashes(
  t: Parameters<typeof temporaryDirectory>[0],
  options: SampleOptions,
): Promise<Record<string, string>> {
  const directory = await temporaryDirectory(t);
  const { files } = await writeSample(directory, options);
  const entries = files.map(async (file) => {
    const digest = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    return [relative(directory, file), digest] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

test('the same seed and size give the same bytes, in any time zone', async (t) => {
  const first = await hashes(t, { seed: 7, size: 'village' });
  const zone = process.env.TZ;
  process.env.TZ = zone === 'Pacific/Apia' ? 'UTC' : 'Pacific/Apia';
  t.teardown(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  t.deepEqual(await hashes(t, { seed: 7, size: 'village' }), first);
});

test('another seed gives other streets and timetables', async (t) => {
  const [one, other] = [await hashes(t, { seed: 1, size: 'village' }), await hashes(t, { seed: 2, size: 'village' })];
  t.not(one['streets.osm.pbf'], other['streets.osm.pbf']);
  t.not(one['city.gtfs.zip'], other['city.gtfs.zip']);
});

test('the raster gives the heights of the terrain where it says it lies', async (t) => {
  const directory = await temporaryDirectory(t);
  const { files } = await writeSample(directory, { size: 'village' });
  const tiff = await fromFile(files.find((file) => file.endsWith('.tif')) as string);
  const image = await tiff.getImage();
  const [west, north] = image.getOrigin() as [number, number];
  const [stepEast, stepNorth] = image.getResolution() as [number, number];
  const [values] = (await image.readRasters()) as unknown as [Float32Array];
  const terrain = new Terrain(TownPlan.of(1, 'village'));
  const summit = terrain.locate(terrain.summit);
  const column = Math.round((summit.lon - west) / stepEast);
  const row = Math.round((summit.lat - north) / stepNorth);
  const height = values[row * image.getWidth() + column] as number;
  t.true(Math.abs(height - terrain.height(summit)) < 1);
  t.true(height > 320, 'the hill stands out of the plain');
  t.is(image.getGeoKeys()?.GeographicTypeGeoKey, 4326);
});

test('progress covers every part once to the end', async (t) => {
  const directory = await temporaryDirectory(t);
  const done: string[] = [];
  await writeSample(directory, { size: 'village' }, (step, fraction) => {
    t.true(fraction >= 0 && fraction <= 1);
    if (fraction === 1) done.push(step);
  });
  t.deepEqual(done, ['streets', 'city timetable', 'region timetable', 'elevation', 'point set']);
});

test('a senseless size is refused', async (t) => {
  const directory = await temporaryDirectory(t);
  await t.throwsAsync(writeSample(directory, { size: -3 }), { instanceOf: RangeError });
});
