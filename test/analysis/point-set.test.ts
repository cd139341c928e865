import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { PointSetError, parseCsvPoints, parseGeoJsonPoints } from '../../src/analysis/point-set.js';
import { PointSetDirectory } from '../../src/analysis/point-set-directory.js';

test('CSV: every other column is a magnitude, coordinates are found in any case', (t) => {
  const set = parseCsvPoints('Jobs,LAT,Longitude\n7,41.1,-8.6\n-2,41.2,-8.5\n');
  t.deepEqual([...set.positions], [41.1, -8.6, 41.2, -8.5]);
  t.deepEqual([...(set.properties.get('Jobs')?.amounts ?? [])], [7, -2]);
  t.is(set.id, undefined);
});

for (const [what, text, reason] of [
  ['no coordinates', 'a,b\n1,2\n', /lat and lon/],
  ['a magnitude that is none', 'lat,lon,w\n1,2,x\n', /row 2, w/],
  ['a short row', 'lat,lon,w\n1,2\n', /./],
  ['a latitude beyond the pole', 'lat,lon\n91,2\n', /row 2/],
] as const) {
  test(`CSV with ${what} is refused`, (t) => {
    t.throws(() => parseCsvPoints(text), { instanceOf: PointSetError, message: reason });
  });
}

test('GeoJSON: polygons stand at their centre, features without values are left out', (t) => {
  const square = [
    [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
      [0, 0],
    ],
  ];
  const set = parseGeoJsonPoints(
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
  t.is(set.features[0]?.id, '1');
  t.is(set.description, 'A town');
  t.is(set.properties.get('w')?.label, 'Weight');
});

test('a directory: exact names first, changed files are read again', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'trestle-points-'));
  t.teardown(() => rm(directory, { recursive: true }));
  await writeFile(path.join(directory, 'poi.csv'), 'lat,lon\n1,1\n');
  await writeFile(path.join(directory, 'poi2.csv'), 'lat,lon\n1,1\n2,2\n');
  const sets = new PointSetDirectory(directory);
  t.deepEqual(await sets.list(), ['poi', 'poi2']);
  t.is((await sets.find('poi'))?.features.length, 1);
  t.is((await sets.find('POI2'))?.features.length, 2);
  t.is(await sets.find('../poi'), undefined);
  await writeFile(path.join(directory, 'poi.csv'), 'lat,lon\n1,1\n2,2\n3,3\n');
  await utimes(path.join(directory, 'poi.csv'), 1, 1);
  t.is((await sets.find('poi'))?.features.length, 3);
  t.true(await sets.store('new', 'csv', 'lat,lon\n1,1\n'));
  t.true(await sets.remove('new'));
  t.false(await sets.remove('new'));
});
