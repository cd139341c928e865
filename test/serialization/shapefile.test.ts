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
  const text = (crs?: string) => contourShapefile(contours, 'time', crs).get('prj')?.toString() ?? '';
  for (const degrees of [undefined, 'EPSG:4326']) t.regex(text(degrees), /^GEOGCS\["WGS84/, degrees);
  // 900913 is the number of the same system from before it had one.
  for (const mercator of ['EPSG:3857', 'EPSG:900913']) {
    t.regex(text(mercator), /^PROJCS\["WGS 84 \/ Pseudo-Mercator".*AUTHORITY\["EPSG", "3857"\]\]$/, mercator);
  }
  t.regex(text('EPSG:32629'), /^PROJCS\["WGS 84 \/ UTM zone 29N".*AUTHORITY\["EPSG", "32629"\]\]$/);
  const etrs89 = /^PROJCS\["ETRS89 \/ UTM zone 32N", GEOGCS\["ETRS89".*"central_meridian", 9\].*"EPSG", "25832"\]\]$/;
  t.regex(text('EPSG:25832'), etrs89);
  const britain = /^PROJCS\["OSGB36 .*"Airy 1830", 6377563.396.*"false_northing", -100000\].*"EPSG", "27700"\]\]$/;
  t.regex(text('EPSG:27700'), britain);
  const germany =
    /^PROJCS\["DHDN .* zone 3".*"central_meridian", 9\].*"false_easting", 3500000\].*"EPSG", "31467"\]\]$/;
  t.regex(text('EPSG:31467'), germany);
  t.throws(() => text('EPSG:2056'), { message: 'no text of EPSG:2056' });
});
