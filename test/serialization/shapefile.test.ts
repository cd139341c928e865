import test from 'ava';
import type { Contour } from '../../src/native/types.js';
import { contourCollection } from '../../src/serialization/geo-json.js';
import { contourShapefile } from '../../src/serialization/shapefile.js';

/** A counter-clockwise square with a clockwise hole, and nothing at all. */
const contours: Contour[] = [
  {
    seconds: 1800,
    polygons: Uint32Array.of(2),
    rings: Uint32Array.of(5, 4),
    coordinates: Float64Array.of(0, 0, 9, 0, 9, 9, 0, 9, 0, 0, 3, 3, 3, 6, 6, 6, 3, 3),
    json: Buffer.from('[[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[3,3],[3,6],[6,6],[3,3]]]]'),
  },
  {
    seconds: 60,
    polygons: new Uint32Array(),
    rings: new Uint32Array(),
    coordinates: new Float64Array(),
    json: Buffer.from('[]'),
  },
];

test('GeoJSON: shells before holes, an empty contour is an empty multi-polygon', (t) => {
  const { features } = JSON.parse(contourCollection(contours).toString()) as {
    features: Array<{ geometry: { coordinates: number[][][][] }; properties: unknown }>;
  };
  t.deepEqual(
    features[0]?.geometry.coordinates[0]?.map((ring) => ring.length),
    [5, 4],
  );
  t.deepEqual(features[0]?.properties, { time: 1800 });
  t.deepEqual(features[1]?.geometry.coordinates, []);
});

test('shapefile: lengths agree, rings run the other way, the table holds the seconds', (t) => {
  const files = contourShapefile(contours, 'time');
  const file = (extension: string) => files.get(extension) ?? Buffer.alloc(0);
  const [shp, shx, dbf] = [file('shp'), file('shx'), file('dbf')];
  t.is(shp.readInt32BE(24) * 2, shp.length);
  t.is(shx.readInt32BE(24) * 2, shx.length);
  const first = shx.readInt32BE(100) * 2;
  t.is(shp.readInt32LE(first + 8), 5, 'a polygon');
  t.is(shp.readInt32LE(first + 8 + 36), 2, 'two rings');
  const points = first + 8 + 44 + 8;
  t.deepEqual([shp.readDoubleLE(points + 16), shp.readDoubleLE(points + 24)], [0, 9], 'clockwise');
  t.is(dbf.readUInt32LE(4), 2);
  t.is(dbf.toString('latin1', 65, dbf.length - 1), `${' '.repeat(6)}1800${' '.repeat(8)}60`);
});

test('shapefile: the .prj names the system of the coordinates', (t) => {
  const text = (projection?: string) => contourShapefile(contours, 'time', projection).get('prj')?.toString() ?? '';
  t.regex(text(), /^GEOGCS\["WGS84/);
  t.is(text('PROJCS["a grid"]'), 'PROJCS["a grid"]');
});
