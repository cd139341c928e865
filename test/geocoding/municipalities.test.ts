/** GET municoder over polygons of GeoJSON and of a shapefile. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';

const square = (west: number, south: number, size: number) => [
  [west, south],
  [west, south + size],
  [west + size, south + size],
  [west + size, south],
  [west, south],
];

const COUNTIES = {
  type: 'FeatureCollection',
  features: [
    // A district around a town, with a hole.
    {
      type: 'Feature',
      properties: { NAME: 'District' },
      geometry: { type: 'Polygon', coordinates: [square(0, 0, 10), square(7, 7, 2)] },
    },
    {
      type: 'Feature',
      properties: { NAME: 'São "Town"' },
      geometry: { type: 'MultiPolygon', coordinates: [[square(1, 1, 2)], [square(20, 20, 1)]] },
    },
    { type: 'Feature', properties: { NAME: 'Point' }, geometry: { type: 'Point', coordinates: [5, 5] } },
  ],
};

async function serve(t: ExecutionContext, file: string, nameField: string) {
  const app = await startApp(t, [], { flags: { municipalities: { file, nameField } } });
  return async (query: string) => (await app.get(`/municoder?${query}`)).text();
}

test('the smallest polygon around a location names it', async (t) => {
  const file = path.join(await temporaryDirectory(t), 'counties.geojson');
  await writeFile(file, JSON.stringify(COUNTIES));
  const ask = await serve(t, file, 'NAME');
  t.is(await ask('location=2,2'), '{ "name" : "São \\"Town\\"" }');
  t.is(await ask('location=20.5,20.5'), '{ "name" : "São \\"Town\\"" }');
  t.is(await ask('location=5,5'), '{ "name" : "District" }');
  t.is(await ask('location=8,8'), '{}');
  t.is(await ask('location=5,5&callback=show'), 'show({ "name" : "District" });');
});

test('a file of polygons may begin with a byte order mark', async (t) => {
  const file = path.join(await temporaryDirectory(t), 'counties.geojson');
  await writeFile(file, `\ufeff${JSON.stringify(COUNTIES)}`);
  const ask = await serve(t, file, 'NAME');
  t.is(await ask('location=2,2'), '{ "name" : "São \\"Town\\"" }');
});

test('polygons may come from a shapefile', async (t) => {
  const directory = await temporaryDirectory(t);
  const [shp, dbf] = squareShapefile(square(0, 0, 10), 'Vila');
  await writeFile(path.join(directory, 'towns.shp'), shp);
  await writeFile(path.join(directory, 'towns.dbf'), dbf);
  const ask = await serve(t, path.join(directory, 'towns.shp'), 'NAME');
  t.is(await ask('location=5,5'), '{ "name" : "Vila" }');
  t.is(await ask('location=50,5'), '{}');
});

test('missing and wrong parameters are reported', async (t) => {
  const app = await startApp(t, []);
  const answer = async (query: string) => {
    const found = await app.get(`/municoder?${query}`);
    return [found.status, await found.text()];
  };
  t.deepEqual(await answer(''), [400, 'no location to resolve']);
  t.is((await answer('location=a'))[0], 400);
  t.is((await answer('location=1,2&callback=alert(1)'))[0], 400);
  t.deepEqual(await answer('location=1,2'), [200, '{}']);
  const missing = await startApp(t, [], { flags: { municipalities: { file: '/nowhere.geojson' } } });
  t.is((await missing.get('/municoder?location=1,2')).status, 500);
});

/** One polygon with one text, as the two files of a shapefile. */
function squareShapefile(ring: number[][], name: string): [Buffer, Buffer] {
  const content = Buffer.alloc(48 + ring.length * 16);
  content.writeInt32LE(5, 0);
  const [lons, lats] = [0, 1].map((axis) => ring.map((point) => point[axis] ?? 0)) as [number[], number[]];
  const box = [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
  for (const [i, value] of box.entries()) content.writeDoubleLE(value, 4 + i * 8);
  content.writeInt32LE(1, 36);
  content.writeInt32LE(ring.length, 40);
  for (const [i, point] of ring.entries()) {
    content.writeDoubleLE(point[0] ?? 0, 48 + i * 16);
    content.writeDoubleLE(point[1] ?? 0, 56 + i * 16);
  }
  const shp = Buffer.alloc(108 + content.length);
  shp.writeInt32BE(9994, 0);
  shp.writeInt32BE(shp.length / 2, 24);
  shp.writeInt32LE(1000, 28);
  shp.writeInt32LE(5, 32);
  for (const [i, value] of box.entries()) shp.writeDoubleLE(value, 36 + i * 8);
  shp.writeInt32BE(1, 100);
  shp.writeInt32BE(content.length / 2, 104);
  content.copy(shp, 108);

  const dbf = Buffer.alloc(32 + 32 + 1 + 21 + 1);
  dbf.writeUInt8(3, 0);
  dbf.writeUInt32LE(1, 4);
  dbf.writeUInt16LE(65, 8);
  dbf.writeUInt16LE(21, 10);
  dbf.write('NAME', 32);
  dbf.write('C', 43);
  dbf.writeUInt8(20, 48);
  dbf.writeUInt8(0x0d, 64);
  dbf.write(` ${name.padEnd(20)}`, 65);
  dbf.writeUInt8(0x1a, 86);
  return [shp, dbf];
}
