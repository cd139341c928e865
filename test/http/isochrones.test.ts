/** The three isochrone resources, their formats and what they refuse, over a real town. */

import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { unzipShapefile } from '../../src/analysis/shapefile-points.js';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startApp, type TestApp } from '../support/test-app.js';

const town = builtBefore(test, buildSampleTown);

function serve(t: Parameters<typeof startApp>[0]): Promise<TestApp> {
  return startApp(t, [{ id: 'default', graph: sharedGraph(town.graph) }]);
}

/** The middle of the town on a Monday morning. */
function from(): string {
  const { lowerLeftLatitude, upperRightLatitude, lowerLeftLongitude, upperRightLongitude } = town.graph.info();
  const lat = ((lowerLeftLatitude + upperRightLatitude) / 2).toFixed(6);
  const lon = ((lowerLeftLongitude + upperRightLongitude) / 2).toFixed(6);
  return `fromPlace=${lat},${lon}&date=2026-11-23&time=08:00`;
}

function resource(name: string, rest = ''): string {
  return `/routers/default/${name}?${from()}${rest}`;
}

test('isochroneOld answers bare geometries', async (t) => {
  const app = await serve(t);
  const points = await app.json(resource('isochroneOld', '&mode=WALK&walkTime=10'));
  t.is(points.type, 'MultiPoint');
  t.true(points.coordinates.length > 5);
  const shed = await app.json(resource('isochroneOld', '&mode=WALK&walkTime=10&output=SHED'));
  t.is(shed.type, 'Polygon');
  const [ring] = shed.coordinates;
  t.deepEqual(ring[0], ring.at(-1));
  const edges = await app.json(resource('isochroneOld', '&mode=WALK&walkTime=10&output=EDGES'));
  t.is(edges.type, 'MultiLineString');
  t.true(edges.coordinates.every((line: unknown[]) => line.length > 1));
  const longer = await app.json(resource('isochroneOld', '&mode=WALK&walkTime=15'));
  t.true(longer.coordinates.length > points.coordinates.length);
});

test('the older isochrones depart, whatever arriveBy says', async (t) => {
  const app = await serve(t);
  for (const name of ['isochroneOld', 'simpleIsochrone']) {
    const path = resource(name, '&mode=WALK&walkTime=10&requestTimespanHours=1&nContours=1');
    const shape = async (rest: string) => {
      const answer = await app.json(`${path}${rest}`);
      return answer.coordinates ?? answer.features[0].geometry.coordinates;
    };
    const departing = await shape('');
    t.true(departing.length > 0);
    t.deepEqual(await shape('&arriveBy=true'), departing, name);
    t.deepEqual(await shape('&arriveBy=true&toPlace=48.0304,15.0714'), departing, name);
  }
});

test('isochroneOld refuses invalid requests', async (t) => {
  const app = await serve(t);
  const answer = async (path: string) => {
    const response = await app.get(path);
    return `${response.status} ${await response.text()}`;
  };
  t.regex(await answer('/routers/default/isochroneOld?fromPlace=abc'), /^400 Could not parse position/);
  // With two ways to divide the digits of each number, this took minutes, in which the server did nothing else.
  const digits = '1'.repeat(4000);
  t.regex(
    await answer(`/routers/default/isochroneOld?fromPlace=${digits},${digits}x`),
    /^400 Could not parse position/,
  );
  t.regex(await answer(resource('isochroneOld', '&output=BOGUS')), /^400 .*output/s);
  t.regex(await answer(resource('isochroneOld', '&walkTime=x')), /^400 .*walkTime/s);
  t.regex(await answer(resource('isochroneOld', '&walkTime=1e9')), /^413 .*walkTime/s);
});

test('simpleIsochrone answers circles around stops, the largest first', async (t) => {
  const app = await serve(t);
  const path = resource('simpleIsochrone', '&requestTimespanHours=1&nContours=3&contourSpacingMinutes=10');
  const { type, features } = await app.json(path);
  t.is(type, 'FeatureCollection');
  t.deepEqual(
    features.map((feature: any) => feature.properties.Time),
    [1800, 1200, 600],
  );
  t.true(features.every((feature: any) => feature.geometry.type === 'MultiPolygon'));
  const zone = `${path}&resultsProjected=true&crs=EPSG:3857`;
  const [x] = (await app.json(zone)).features[0].geometry.coordinates[0][0][0];
  t.true(Math.abs(x) > 1000, 'metres');
});

test('simpleIsochrone in the grid of a country has its coordinates and its .prj', async (t) => {
  const app = await serve(t);
  // Austria Lambert, a cone. PROJ has the middle of the town at 528812, 459281.
  const rest = '&requestTimespanHours=1&nContours=1&resultsProjected=true&crs=EPSG:31287';
  const { features } = await app.json(resource('simpleIsochrone', rest));
  const [x, y] = features[0].geometry.coordinates[0][0][0];
  t.true(Math.abs(x - 528_812) < 10_000 && Math.abs(y - 459_281) < 10_000, `${x} ${y}`);
  const answer = await app.get(resource('simpleIsochrone', `${rest}&format=shapefile`));
  const { prj } = await unzipShapefile(Buffer.from(await answer.arrayBuffer()));
  t.regex(String(prj), /^PROJCS\["MGI \/ Austria Lambert",.*AUTHORITY\["EPSG","31287"\]\]$/);
  const refused = await app.get(resource('simpleIsochrone', rest.replace('31287', '26741')));
  t.is(refused.status, 400, 'a datum by a grid of corrections');
});

test('simpleIsochrone checks its ranges', async (t) => {
  const app = await serve(t);
  const bad = {
    requestSpacingMinutes: '0',
    requestTimespanHours: '0',
    nContours: '-1',
    contourSpacingMinutes: '0',
    radiusMeters: '-5',
    crs: 'xx',
  };
  for (const [name, value] of Object.entries(bad)) {
    const response = await app.get(resource('simpleIsochrone', `&${name}=${value}`));
    t.is(response.status, 400, name);
    t.true((await response.text()).includes(name), name);
  }
  // In 32 bits, 71582789 minutes would be 44 seconds, and 1193047 hours would be 1904.
  const wrapping = ['requestTimespanHours=1193047', 'contourSpacingMinutes=71582789'];
  for (const large of ['requestTimespanHours=100000', 'nContours=10000', ...wrapping]) {
    t.is((await app.get(resource('simpleIsochrone', `&${large}`))).status, 413, large);
  }
});

test('cutoffs are bounded, and those that reach nothing are empty', async (t) => {
  const app = await serve(t);
  const { features } = await app.json(resource('isochrone', '&mode=WALK&cutoffSec=0&cutoffSec=-5&cutoffSec=600'));
  const empty = features.map((feature: any) => feature.geometry.coordinates.length === 0);
  t.deepEqual(empty, [false, true, true]);
  const status = async (rest: string) => (await app.get(resource('isochrone', rest))).status;
  t.is(await status('&cutoffSec=600'.repeat(10_000 / 50)), 200);
  t.is(await status('&cutoffSec=600'.repeat(201)), 413);
  t.is(await status('&cutoffSec=2000000000'), 413);
  t.is(await status('&cutoffSec=99999999999'), 400);
  t.is(await status('&cutoffSec=600&precisionMeters=9'), 400);
  t.is(await status('&cutoffSec=600&offRoadDistanceMeters=0'), 400);
  t.is((await app.get(resource('timegrid', '&maxTimeSec=2000000000'))).status, 413);
});

test('clients keep what is reached at a given time, but not what is reached now', async (t) => {
  const app = await serve(t);
  const caching = async (path: string) => (await app.get(path)).headers.get('Cache-Control');
  for (const path of [
    resource('isochrone', '&mode=WALK&cutoffSec=600'),
    resource('analyst/tile/14/8876/5694.png', '&mode=WALK'),
  ]) {
    t.is(await caching(path), 'no-transform, max-age=3600');
    t.is(await caching(path.replace('&time=08:00', '')), 'no-transform, no-cache');
    t.is(await caching(path.replace('&date=2026-11-23&time=08:00', '')), 'no-transform, no-cache');
    t.is(await caching(path.replace('&date=2026-11-23', '')), 'no-transform, no-cache', 'today');
    t.is(await caching(path.replace('08:00', 'zz')), 'no-transform, no-cache', 'now');
    t.is(await caching(path.replace('&date=2026-11-23&time=', '&time=2026-11-23X')), null, 'not a time');
    for (const time of ['2026-11-23T08:00:00', '2026-11-23T08:00']) {
      const instant = path.replace('&date=2026-11-23&time=08:00', `&time=${time}`);
      t.is(await caching(instant), 'no-transform, max-age=3600');
    }
  }
});

test('the node that a grid is aligned to is on Earth', async (t) => {
  const app = await serve(t);
  for (const request of ['isochrone?cutoffSec=600', 'timegrid?maxTimeSec=600']) {
    const [name = '', limit] = request.split('?');
    const answer = (origin: string) => app.get(resource(name, `&${limit}&coordinateOrigin=${origin}`));
    t.is((await answer('1.5,-2.5')).status, 200, name);
    for (const origin of ['-100000000000,5', '90.5,0', '0,180.5', '5']) {
      const response = await answer(origin);
      t.is(response.status, 400, origin);
      t.is(await response.text(), `coordinateOrigin: "${origin}" is not a coordinate\n`);
    }
  }
});

test('shapefiles come as archives named after the request', async (t) => {
  const app = await serve(t);
  const named = await app.get(resource('isochrone', '&mode=WALK&cutoffSec=600&format=shapefile&shpName=ground'));
  t.is(named.headers.get('content-type'), 'application/x-zip-compressed');
  t.true(Buffer.from(await named.arrayBuffer()).includes('ground.shp'));
  const unnamed = await app.get(resource('isochrone', '&mode=WALK&cutoffSec=600&format=shapefile'));
  t.is(unnamed.headers.get('content-disposition'), 'attachment; filename="isochrone.zip"');
  t.true(Buffer.from(await unnamed.arrayBuffer()).includes('isochrone.shp'));
  for (const [query, file] of [
    ['', 'null.shp'],
    ['&shpName=ground', 'ground.shp'],
  ] as const) {
    const accept = { Accept: 'application/x-zip-compressed' };
    const negotiated = await app.get(resource('isochrone', `&mode=WALK&cutoffSec=600${query}`), accept);
    t.true(Buffer.from(await negotiated.arrayBuffer()).includes(file), file);
  }
  for (const name of ['日本', '"quoted"', '🚲'.repeat(80), 'ä'.repeat(300)]) {
    const shapefile = `&mode=WALK&cutoffSec=600&format=shapefile&shpName=${encodeURIComponent(name)}`;
    const answer = await app.get(resource('isochrone', shapefile));
    t.is(answer.status, 200, name);
    t.is(answer.headers.get('content-type'), 'application/x-zip-compressed');
    if (name === '日本')
      t.regex(answer.headers.get('content-disposition') ?? '', /filename\*=UTF-8''%E6%97%A5%E6%9C%AC/);
  }
  const simple = '&requestTimespanHours=1&nContours=1&format=shapefile&shpName=circles';
  const circles = await app.get(resource('simpleIsochrone', simple));
  t.true(Buffer.from(await circles.arrayBuffer()).includes('circles.dbf'));
});

test('the headers of a time grid, which any page may read, say where it is', async (t) => {
  const app = await serve(t);
  const grid = (rest = '') => app.get(resource('timegrid', `&mode=WALK&maxTimeSec=900&precisionMeters=100${rest}`));
  const response = await grid('&offRoadDistanceMeters=70');
  t.is(response.headers.get('Cache-Control'), 'no-cache, no-transform');
  t.is(
    response.headers.get('Access-Control-Expose-Headers'),
    'OTPA-Grid-Corner, OTPA-Grid-Cell-Size, OTPA-OffRoad-Dist',
  );
  t.is(response.headers.get('OTPA-OffRoad-Dist'), '70');
  const degrees = (header: string) => (response.headers.get(header) ?? '').split(',').map(Number);
  const [[south = 0, west = 0], [height = 0, width = 0]] = [
    degrees('OTPA-Grid-Corner'),
    degrees('OTPA-Grid-Cell-Size'),
  ];
  const info = town.graph.info();
  t.true(south > info.lowerLeftLatitude - 0.02 && south < info.upperRightLatitude, `${south}`);
  t.true(west > info.lowerLeftLongitude - 0.02 && west < info.upperRightLongitude, `${west}`);
  const shrunk = Math.cos((info.centerLatitude * Math.PI) / 180);
  for (const side of [height, width * shrunk]) t.true(Math.abs(side * 111_200 - 100) < 1, `${height},${width}`);
  const png = Buffer.from(await response.arrayBuffer());
  const text = await (await grid('&offRoadDistanceMeters=70&base64=true')).text();
  t.deepEqual(Buffer.from(text, 'base64').subarray(0, 8), png.subarray(0, 8));
  t.deepEqual(
    Array.from(png.toString('latin1').matchAll(/(?:iTXt|tEXt)([\w -]+)/g), ([, keyword]) => keyword),
    ['Software', 'Creation Time', 'Description', 'OTPA-Grid-Corner', 'OTPA-Grid-Cell-Size', 'OTPA-OffRoad-Dist'],
  );
});

test('the tag of a time grid is the same until its content changes', async (t) => {
  const app = await serve(t);
  const grid = async (seconds: number) => {
    const answer = await app.get(resource('timegrid', `&mode=WALK&maxTimeSec=${seconds}&precisionMeters=100`));
    return { tag: answer.headers.get('etag'), png: Buffer.from(await answer.arrayBuffer()) };
  };
  const first = await grid(900);
  // The image says in which second it was made.
  await pause(1000);
  const second = await grid(900);
  t.false(first.png.equals(second.png));
  t.regex(first.tag ?? '', /^W\/"/);
  t.is(second.tag, first.tag);
  t.not((await grid(600)).tag, first.tag);
});
