import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import test from 'ava';
import { readCsvPlaces, readCsvPoints } from '../../src/analysis/csv-points.js';
import { readGeoJsonPoints } from '../../src/analysis/geo-json-points.js';
import { type PointSet, PointSetError, PointSetTooLargeError } from '../../src/analysis/point-set.js';
import { PointSetDirectory } from '../../src/analysis/point-set-directory.js';
import { readPointSet } from '../../src/analysis/point-set-file.js';
import { readShapefilePoints } from '../../src/analysis/shapefile-points.js';
import { pointSetDocument } from '../../src/serialization/pointset.js';
import { GEOGRAPHIC, pointShapefile, UTM_29_NORTH } from '../support/point-shapefile.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { zip } from '../support/zip.js';

const csv = (text: string) => readCsvPoints(Readable.from([text]));

test('CSV: every other column is a magnitude, coordinates are found in any case', async (t) => {
  const set = await csv('Jobs,LAT,Longitude\n7,41.1,-8.6\n-2,41.2,-8.5\n');
  t.deepEqual([...set.positions], [41.1, -8.6, 41.2, -8.5]);
  t.deepEqual([...(set.properties.get('Jobs')?.amounts ?? [])], [7, -2]);
  t.is(set.id, undefined);
  t.is(set.ids, undefined);
  const { features } = pointSetDocument(set) as { features: unknown[] };
  const geometry = { type: 'Point', coordinates: [-8.5, 41.2] };
  t.deepEqual(features[1], { id: null, type: 'Feature', geometry, properties: { structured: { Jobs: -2 } } });
});

test('CSV: a whole number may have an exponent or a point, as programs write columns of fractions', async (t) => {
  const texts = ['100000', '1e+05', '1E5', '+100000.0', '100000.', '0.1e6', '1000000e-1', '0000000100000'];
  const set = await csv(`lat,lon,w\n${texts.map((text) => `1,2,${text}`).join('\n')}\n`);
  t.deepEqual(
    [...(set.properties.get('w')?.amounts ?? [])],
    Array.from(texts, () => 100_000),
  );
  for (const text of ['2.5', '1e-1', '1e400', '0x10', 'Infinity', 'NA', '', '.', 'e5', '1e', '1 000']) {
    const message = `row 2, w: "${text}" is not a whole number`;
    await t.throwsAsync(csv(`lat,lon,w\n1,2,${text}\n`), { instanceOf: PointSetError, message }, text);
  }
});

test('a number that is too large is refused with the range', async (t) => {
  const range = 'is not a whole number from -2147483647 to 2147483647';
  for (const text of ['3000000000', '-2147483648', '1e10']) {
    const message = `row 2, w: "${text}" ${range}`;
    await t.throwsAsync(csv(`lat,lon,w\n1,2,${text}\n`), { instanceOf: PointSetError, message }, text);
  }
  const geometry = { type: 'Point', coordinates: [2, 1] };
  const feature = { type: 'Feature', geometry, properties: { structured: { w: 3e9 } } };
  t.throws(() => readGeoJsonPoints(JSON.stringify({ features: [feature] })), {
    message: `feature 1, w: 3000000000 ${range}`,
  });
});

test('CSV: a column of ids names the features and is not a magnitude', async (t) => {
  const set = await csv('ID,lat,lon,jobs\npublic market,1,2,7\n17,3,4,8\n,5,6,9\n');
  t.deepEqual([...set.properties.keys()], ['jobs']);
  const { features } = pointSetDocument(set) as { features: Array<{ id: unknown }> };
  t.deepEqual(
    features.map(({ id }) => id),
    ['public market', '17', null],
  );
});

for (const [what, text, reason] of [
  ['nothing', '', /empty/],
  ['no coordinates', 'a,b\n1,2\n', /^row 1: columns lat and lon are required; there are \["a","b"\]$/],
  ['semicolons', 'lat;lon\n1,5;2,5\n', /; there is only "lat;lon": columns need commas between them$/],
  ['a magnitude that is not a number', 'lat,lon,w\n1,2,x\n', /row 2, w: "x"/],
  ['a short row', 'lat,lon,w\n1,2,3\n1,2\n', /row 3: 2 fields, not 3/],
  ['a latitude beyond the pole', 'lat,lon\n91,2\n', /row 2, latitude: "91"/],
  ['an open quote', 'lat,lon\n1,"2\n', /./],
  ['two columns of one name', 'lat,lon,w,v,w\n1,2,3,4,5\n', /^row 1: two columns have the name "w"$/],
  ['two columns of latitudes', 'lat,lon,lat\n1,2,3\n', /^row 1: two columns have the name "lat"$/],
  ['two columns of ids', 'id,ID,lat,lon\na,b,1,2\n', /^row 1: two columns have the name "ID"$/],
] as const) {
  test(`CSV with ${what} is refused`, async (t) => {
    await t.throwsAsync(csv(text), { instanceOf: PointSetError, message: reason });
  });
}

test('files in Latin-1 are refused, because their letters would be lost', async (t) => {
  const reason = { instanceOf: PointSetError, message: 'the file is not in UTF-8' };
  const latin1 = Buffer.from('id,lat,lon\nPré,1,2\nPrê,3,4\n', 'latin1');
  await t.throwsAsync(readCsvPoints(Readable.from([latin1])), reason);
  await t.throwsAsync(readCsvPlaces(Readable.from([latin1])), reason);
  const file = path.join(await temporaryDirectory(t), 'set.json');
  const set =
    '{"features":[{"id":"Pré","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"structured":{}}}]}';
  await writeFile(file, set, 'latin1');
  await t.throwsAsync(readPointSet(file), reason);
  await writeFile(file, set);
  t.deepEqual((await readPointSet(file)).ids, ['Pré']);
});

test('letters may be divided between the parts of a file, and UTF-16 has a byte order mark', async (t) => {
  const bytes = Buffer.from('id,lat,lon\nPré,1,2\n');
  const parts = Array.from(bytes, (byte) => Buffer.of(byte));
  t.deepEqual((await readCsvPlaces(Readable.from(parts))).ids, ['Pré']);
  t.deepEqual((await readCsvPlaces(Readable.from([Buffer.from('\ufeffid,lat,lon\nPré,1,2\n', 'utf16le')]))).ids, [
    'Pré',
  ]);
});

test('every broken row is reported, up to ten of them', async (t) => {
  const rows = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? '1,2,3' : '1,2,three'));
  const error = await t.throwsAsync(csv(`lat,lon,w\n${rows.join('\n')}\n`));
  const lines = error?.message.split('\n') ?? [];
  t.is(lines.length, 11);
  t.is(lines[0], 'row 3, w: "three" is not a whole number');
  t.is(lines[10], 'and 5 more');
});

test('places alone: other columns may hold anything; ids are those of the file or row numbers', async (t) => {
  const named = await readCsvPlaces(Readable.from(['id,lat,lon,note\na,1,2,x y\nb,3,4,\n']));
  t.deepEqual([...named.positions], [1, 2, 3, 4]);
  t.deepEqual(named.ids, ['a', 'b']);
  t.deepEqual((await readCsvPlaces(Readable.from(['lat,lon\n1,2\n3,4\n']))).ids, ['0', '1']);
});

test('GeoJSON: the centre of a polygon across the 180th meridian is there', (t) => {
  const ring = (lons: number[], lats: number[]) => [...lons, lons[0]].map((lon, i) => [lon, [...lats, lats[0]][i]]);
  const island = ring([179.7, -179.9, -179.9, 179.7], [-17, -17, -16, -16]);
  const lagoon = ring([179.7, 179.9, 179.9, 179.7], [-17, -17, -16, -16]);
  const line = ring([-179.8, 179.6], [-17, -16]);
  const feature = (...coordinates: unknown[]) => ({
    geometry: { type: 'Polygon', coordinates },
    properties: { structured: {} },
  });
  const features = [feature(island), feature([...island].reverse()), feature(island, lagoon), feature(line)];
  const { positions } = readGeoJsonPoints(JSON.stringify({ features }));
  const lons = Array.from(
    positions.filter((_, i) => i % 2 === 1),
    (lon) => Number(lon.toFixed(6)),
  );
  t.deepEqual(lons, [179.9, 179.9, 180, 180]);
});

test('GeoJSON: the centre of a polygon wider than half of the Earth is there', (t) => {
  const wide = [
    [-100, 0],
    [-30, 0],
    [30, 0],
    [100, 0],
    [100, 10],
    [30, 10],
    [-30, 10],
    [-100, 10],
    [-100, 0],
  ];
  const world = [
    [-180, -80],
    [180, -80],
    [180, 80],
    [-180, 80],
    [-180, -80],
  ];
  const features = [wide, world].map((ring) => ({
    geometry: { type: 'Polygon', coordinates: [ring] },
    properties: { structured: {} },
  }));
  const { positions } = readGeoJsonPoints(JSON.stringify({ features }));
  t.deepEqual(
    Array.from(positions, (degrees) => Math.round(degrees * 1e6) / 1e6 + 0),
    [5, 0, 0, 0],
  );
});

test('GeoJSON: polygons are at their centre, features without values are left out', (t) => {
  const square = [
    [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
      [0, 0],
    ],
  ];
  const set = readGeoJsonPoints(
    JSON.stringify({
      properties: { id: 'town', description: 'A town', schema: { w: { label: 'Weight' } } },
      features: [
        { id: 1, geometry: { type: 'Polygon', coordinates: square }, properties: { structured: { w: 3 } } },
        { id: 2, geometry: { type: 'Point', coordinates: [5, 6] }, properties: {} },
        { id: 3, geometry: { type: 'LineString', coordinates: [] }, properties: { structured: { w: 1 } } },
      ],
    }),
  );
  t.deepEqual([...set.positions], [1, 1]);
  t.is(set.size, 1);
  t.is(set.ids?.[0], '1');
  t.is(set.description, 'A town');
  t.is(set.properties.get('w')?.label, 'Weight');
});

test('GeoJSON: the centre of a polygon is that of its area without its holes', (t) => {
  const box = (west: number, south: number, side: number) => [
    [west, south],
    [west + side, south],
    [west + side, south + side],
    [west, south + side],
    [west, south],
  ];
  const center = (...rings: number[][][]) => {
    const polygon = { geometry: { type: 'Polygon', coordinates: rings }, properties: { structured: {} } };
    return [...readGeoJsonPoints(JSON.stringify({ features: [polygon] })).positions].map((degrees) =>
      degrees.toFixed(9),
    );
  };
  // A quarter of the area is missing in the north-east, whichever way round its ring is.
  const without = ((1 - 0.25 * 1.5) / 0.75).toFixed(9);
  t.deepEqual(center(box(0, 0, 2), box(1, 1, 1)), [without, without]);
  t.deepEqual(center(box(0, 0, 2), box(1, 1, 1).reverse()), [without, without]);
  t.deepEqual(center(box(0, 0, 2), []), ['1.000000000', '1.000000000']);
  t.deepEqual(center(box(0, 0, 2), box(0, 0, 2)), ['0.800000000', '0.800000000'], 'no area: the mean of the corners');
});

test('GeoJSON: a null id counts as absent, and a byte order mark is allowed', (t) => {
  const set = readGeoJsonPoints(`\uFEFF${JSON.stringify({ features: [{ ...feature([1, 2], 3), id: null }] })}`);
  t.is(set.size, 1);
  t.is(set.ids, undefined);
});

const feature = (coordinates: unknown, w: unknown) => ({
  geometry: { type: 'Point', coordinates },
  properties: { structured: { w } },
});

test('GeoJSON: broken features are reported by their number', (t) => {
  const text = JSON.stringify({ features: [feature([1, 2], 3), feature([1, 95], 3), feature([1, 2], 'x')] });
  t.throws(() => readGeoJsonPoints(text), {
    instanceOf: PointSetError,
    message: /^feature 2: \[1,95\] is not a coordinate\nfeature 3, w: "x" is not a whole number$/,
  });
  for (const broken of ['', 'null', '[]', '{"features":[]}']) {
    t.throws(() => readGeoJsonPoints(broken), { instanceOf: PointSetError }, broken);
  }
});

test('GeoJSON: a set of which no feature can be used is refused, because it would be empty', (t) => {
  const plain = { geometry: { type: 'Point', coordinates: [1, 2] }, properties: { w: 3 } };
  const line = { ...feature([1, 2], 3), geometry: { type: 'LineString', coordinates: [] } };
  const withoutCorners = { ...feature([1, 2], 3), geometry: { type: 'Polygon', coordinates: [[]] } };
  for (const unusable of [plain, line, withoutCorners, null]) {
    const set = (...features: unknown[]) => readGeoJsonPoints(JSON.stringify({ features }));
    t.throws(() => set(unusable), { instanceOf: PointSetError, message: /^features: none .*properties\.structured$/ });
    t.is(set(unusable, feature([1, 2], 3)).size, 1);
  }
});

/** Positions rounded to a millimetre, and all magnitudes. */
function content({ positions, properties, size }: PointSet): unknown {
  const amounts = [...properties].map(([name, property]) => [name, [...property.amounts]]);
  return { size, positions: [...positions].map((degrees) => degrees.toFixed(8)), amounts };
}

test('the same places as CSV, GeoJSON and shapefile are the same set', async (t) => {
  const places = [
    { lat: 41.15, lon: -8.61, jobs: 407, homes: 12 },
    { lat: 41.2345678, lon: -8.7, jobs: 0, homes: -3 },
  ];
  const rows = places.map(({ lat, lon, jobs, homes }) => `${lat},${lon},${jobs},${homes}\n`);
  const fromCsv = await csv(`lat,lon,jobs,homes\n${rows.join('')}`);
  const fromGeoJson = readGeoJsonPoints(
    JSON.stringify({
      type: 'FeatureCollection',
      features: places.map(({ lat, lon, jobs, homes }) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [lon, lat] },
        properties: { structured: { jobs, homes } },
      })),
    }),
  );
  const points = places.map(({ lat, lon, jobs, homes }) => ({ x: lon, y: lat, attributes: { jobs, homes } }));
  const fromShapefile = readShapefilePoints(pointShapefile(points, GEOGRAPHIC));
  t.deepEqual(content(fromGeoJson), content(fromCsv));
  t.deepEqual(content(fromShapefile), content(fromCsv));
});

test('shapefile: other reference systems, texts of numbers, ids; other attributes are left out', (t) => {
  // 41.15 north, 8.61 west in zone 29, by PROJ.
  const points = [
    { x: 532725.159, y: 4555481.992, attributes: { ID: 'a', jobs: 5, homes: '17', share: 0.5, name: 'Foz' } },
    { x: 532725.159, y: 4555481.992, attributes: { ID: 'b', jobs: 6, homes: '', share: 1, name: 'Baixa' } },
  ];
  const set = readShapefilePoints(pointShapefile(points, UTM_29_NORTH));
  t.true(Math.abs((set.positions[0] ?? 0) - 41.15) < 1e-4, String(set.positions[0]));
  t.true(Math.abs((set.positions[1] ?? 0) + 8.61) < 1e-4, String(set.positions[1]));
  t.deepEqual([...set.properties.keys()], ['jobs', 'homes']);
  t.deepEqual([...(set.properties.get('homes')?.amounts ?? [])], [17, 0]);
  t.is(set.ids?.[1], 'b');
});

test('shapefile: without a .cpg the table is in UTF-8 or Windows-1252', (t) => {
  const point = { x: -8.6, y: 41.1, attributes: { id: 'Pré', jobs: 5 } };
  const { dbf, ...parts } = pointShapefile([point], GEOGRAPHIC);
  t.deepEqual(readShapefilePoints({ ...parts, dbf }).ids, ['Pré']);
  const inUtf8 = Buffer.from(dbf.toString('latin1').replace('Pré ', 'PrÃ©'), 'latin1');
  t.deepEqual(readShapefilePoints({ ...parts, dbf: inUtf8 }).ids, ['Pré']);
  t.deepEqual(readShapefilePoints({ ...parts, dbf, cpg: Buffer.from('1250') }).ids, ['Pré']);
});

test('broken shapefiles are refused with a reason', (t) => {
  const good = pointShapefile([{ x: 1, y: 2, attributes: { w: 1 } }], GEOGRAPHIC);
  const refused = (parts: Parameters<typeof readShapefilePoints>[0], message: RegExp) =>
    t.throws(() => readShapefilePoints(parts), { instanceOf: PointSetError, message });
  refused({ shp: good.shp }, /both \.shp and \.dbf/);
  refused({ ...good, shp: good.shp.subarray(0, good.shp.length - 4) }, /within a shape/);
  refused({ ...good, dbf: pointShapefile([], GEOGRAPHIC).dbf }, /1 shapes, but 0 rows/);
  const far = pointShapefile([{ x: 500000, y: 4e6, attributes: { w: 1 } }], GEOGRAPHIC);
  refused(far, /feature 1/);
  const line = Buffer.from(good.shp);
  line.writeInt32LE(0, 108);
  refused({ ...good, shp: line }, /row 1: neither a point nor a polygon/);
});

test('a directory: exact names first, changed files are read again', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(path.join(directory, 'poi.csv'), 'lat,lon\n1,1\n');
  await writeFile(path.join(directory, 'poi2.csv'), 'lat,lon\n1,1\n2,2\n');
  const sets = new PointSetDirectory(directory);
  t.deepEqual(await sets.list(), ['poi', 'poi2']);
  t.is((await sets.find('poi'))?.size, 1);
  t.is((await sets.find('POI2'))?.size, 2);
  t.is(await sets.find('../poi'), undefined);
  await writeFile(path.join(directory, 'poi.csv'), 'lat,lon\n1,1\n2,2\n3,3\n');
  await utimes(path.join(directory, 'poi.csv'), 1, 1);
  t.is((await sets.find('poi'))?.size, 3);
});

test('a directory: shapefiles as files and zipped; a change of the table counts', async (t) => {
  const directory = await temporaryDirectory(t);
  const files = pointShapefile([{ x: 1, y: 2, attributes: { w: 3 } }], GEOGRAPHIC);
  for (const [extension, bytes] of Object.entries(files)) {
    await writeFile(path.join(directory, `jobs.${extension}`), bytes);
  }
  const zipped = Object.fromEntries(Object.entries(files).map(([extension, bytes]) => [`x/jobs.${extension}`, bytes]));
  await writeFile(path.join(directory, 'zipped.zip'), await zip(zipped));
  const sets = new PointSetDirectory(directory);
  t.deepEqual(await sets.list(), ['jobs', 'zipped']);
  for (const id of ['jobs', 'zipped']) t.is((await sets.find(id))?.properties.get('w')?.amounts[0], 3);
  const { dbf } = pointShapefile([{ x: 1, y: 2, attributes: { w: 4 } }], GEOGRAPHIC);
  await writeFile(path.join(directory, 'jobs.dbf'), dbf);
  await utimes(path.join(directory, 'jobs.dbf'), 1, 1);
  t.is((await sets.find('jobs'))?.properties.get('w')?.amounts[0], 4);
  t.true(await sets.remove('jobs'));
  t.deepEqual(await readdir(directory), ['zipped.zip']);
});

test('a directory: a new set is checked before it is stored, and replaces one of another format', async (t) => {
  const directory = path.join(await temporaryDirectory(t), 'made-when-needed');
  await mkdir(path.dirname(directory), { recursive: true });
  const sets = new PointSetDirectory(directory);
  t.true(await sets.store('new', 'csv', write('lat,lon\n1,1\n')));
  await t.throwsAsync(sets.store('new', 'json', write('{}')), { instanceOf: PointSetError });
  t.is((await sets.find('new'))?.size, 1);
  const feature = '{"geometry":{"type":"Point","coordinates":[1,1]},"properties":{"structured":{}}}';
  t.false(await sets.store('new', 'json', write(`{"features":[${feature},${feature}]}`)));
  t.is((await sets.find('new'))?.size, 2);
  t.deepEqual(await readdir(directory), ['new.json']);
  t.true(await sets.remove('new'));
  t.false(await sets.remove('new'));
});

test('a directory: of two sets whose names differ in their letters, each is found by its own', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(path.join(directory, 'POI.csv'), 'lat,lon\n1,1\n');
  await writeFile(path.join(directory, 'poi.csv'), 'lat,lon\n1,1\n2,2\n');
  const sets = new PointSetDirectory(directory);
  t.is((await sets.find('POI'))?.size, 1);
  t.is((await sets.find('poi'))?.size, 2);
  t.is((await sets.find('Poi'))?.size, 1);
});

test('a directory: a set with files of two formats is listed once', async (t) => {
  const directory = await temporaryDirectory(t);
  for (const file of ['poi.csv', 'poi.json', 'poi2.csv']) await writeFile(path.join(directory, file), '');
  t.deepEqual(await new PointSetDirectory(directory).list(), ['poi', 'poi2']);
});

const one = 'lat,lon\n1,1\n';
const two = JSON.stringify({ features: [feature([1, 1], 1), feature([2, 2], 2)] });
const write = (text: string) => (file: Writable) => pipeline(Readable.from([text]), file);

test('a directory: of two formats of a set that are stored at once, one remains', async (t) => {
  const directory = await temporaryDirectory(t);
  const sets = new PointSetDirectory(directory);
  for (let round = 0; round < 20; round += 1) {
    const stores = [sets.store('jobs', 'csv', write(one)), sets.store('jobs', 'json', write(two))];
    t.deepEqual((await Promise.all(stores)).toSorted(), [false, true]);
    t.deepEqual(await sets.list(), ['jobs']);
    t.true(await sets.remove('jobs'));
    t.is(await sets.find('jobs'), undefined);
  }
});

test('a directory: a set that is replaced or removed while it is read is a set, or none', async (t) => {
  const directory = await temporaryDirectory(t);
  let changing = true;
  const reader = async () => {
    // As processes of one host, which have only the directory in common.
    const sets = new PointSetDirectory(directory);
    while (changing) t.true([undefined, 1, 2].includes((await sets.find('jobs'))?.size));
  };
  const readers = Array.from({ length: 4 }, reader);
  const change = async (work: (sets: PointSetDirectory) => Promise<unknown>) => {
    const sets = new PointSetDirectory(directory);
    for (let round = 0; round < 200; round += 1) await work(sets);
  };
  await Promise.all([
    change((sets) => sets.store('jobs', 'csv', write(one))),
    change((sets) => sets.store('jobs', 'json', write(two))),
    change((sets) => sets.remove('jobs')),
  ]);
  changing = false;
  await t.notThrowsAsync(Promise.all(readers));
});

test('large files are read in a thread, to the same sets and with the same problems', async (t) => {
  const directory = await temporaryDirectory(t);
  const rows = Array.from({ length: 20_000 }, (_, i) => `${40 + i / 1e5},${-8 - i / 1e5},${i}\n`).join('');
  const sets = new PointSetDirectory(directory);
  await writeFile(path.join(directory, 'large.csv'), `lat,lon,jobs\n${rows}`);
  const [large, again] = await Promise.all([sets.find('large'), sets.find('large')]);
  t.is(large, again, 'read once');
  t.deepEqual(large, await csv(`lat,lon,jobs\n${rows}`));
  await writeFile(path.join(directory, 'broken.csv'), `lat,lon,jobs\n${rows}x,2,3\n`);
  await t.throwsAsync(sets.find('broken'), { instanceOf: PointSetError, message: /^row 20002, latitude: "x"/ });
  await writeFile(path.join(directory, 'wide.csv'), `lat,lon,${'a,'.repeat(200_000)}b\n`);
  await t.throwsAsync(sets.find('wide'), { instanceOf: PointSetTooLargeError, message: /magnitudes/ });
});

test('only the beginning of long texts is quoted', async (t) => {
  const long = 'x'.repeat(100_000);
  for (const read of [
    () => csv(`lat,lon,w\n1,2,${long}\n`),
    () => csv(`lat,lon\n${long},2\n`),
    () => csv(`lat,lon\n1,${long}"${long}\n`),
    async () => readGeoJsonPoints(JSON.stringify({ features: [feature([1, 2], long)] })),
  ]) {
    const error = await t.throwsAsync(read, { instanceOf: PointSetError });
    t.true((error?.message.length ?? 0) < 500, error?.message.slice(0, 200));
  }
});

test('CSV: a file that is refused is read no further, and closed', async (t) => {
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) {
        yield 'name,value\n';
        await new Promise(setImmediate);
      }
    } finally {
      isClosed = true;
    }
  }
  await t.throwsAsync(readCsvPlaces(Readable.from(endless())), { message: /columns lat and lon are required/ });
  await until(() => isClosed);
  t.true(isClosed);
});
