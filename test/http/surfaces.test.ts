/** Surfaces and what is made of them, over the sample town. */

import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { fromArrayBuffer } from 'geotiff';
import sharp from 'sharp';
import { type AnalysisTown, serveAnalysis } from '../support/analysis-town.js';
import { builtBefore } from '../support/built-graph.js';
import { pixels } from '../support/pixels.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import type { TestApp } from '../support/test-app.js';

const town = builtBefore(test, buildSampleTown);

const POST = { method: 'POST' };

/** Serves the town with a set of three points, of which one is far away. */
async function serve(t: ExecutionContext): Promise<AnalysisTown> {
  const served = await serveAnalysis(t, town, await temporaryDirectory(t));
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  const body = `lat,lon,jobs\n${lat},${lon},5\n${lat + 0.002},${lon},7\n10,10,100\n`;
  const response = await served.app.request('/pointsets/jobs', {
    ...POST,
    body,
    headers: { 'Content-Type': 'text/csv' },
  });
  t.is(response.status, 201);
  return served;
}

/** Repeats a request with an entity tag; `fetch` would add a header that requires a fresh answer. */
function statusOf(app: TestApp, path: string, etag: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(app.base + path, { headers: { 'If-None-Match': etag } }, (response) => {
      resolve(response.resume().statusCode);
    }).on('error', reject);
  });
}

test('surfaces are made, listed, shown and removed', async (t) => {
  const { app, surface } = await serve(t);
  t.deepEqual(await app.json('/surfaces'), []);
  const id = await surface('&cutoffMinutes=30');
  const shown = await app.json(`/surfaces/${id}`);
  t.is(shown.params.cutoffMinutes, '30');
  t.deepEqual(await app.json('/surfaces'), [shown]);
  const gone = await app.request(`/surfaces/${id}`, { method: 'DELETE' });
  t.is(gone.status, 200);
  for (const method of ['GET', 'DELETE']) {
    const response = await app.request(`/surfaces/${id}`, { method });
    t.deepEqual([response.status, await response.text()], [404, 'Invalid surface ID.'], method);
  }
  t.is(await surface(), id + 1, 'ids are not used again');
});

test('surfaces outlive a reload of their router, but not the router', async (t) => {
  const { app, surface } = await serve(t);
  const { registry } = app.deps;
  const [own, other] = [await surface(), await surface('&routerId=twin')];
  const left = async () => (await app.json('/surfaces')).map(({ id }: { id: number }) => id);
  const source = registry.sourceOf('default');
  if (source === undefined) return t.fail();
  await registry.load('default', source, { preEvict: false, evictOnFailure: true });
  t.deepEqual(await left(), [own, other]);
  registry.evict('default');
  return t.deepEqual(await left(), [other]);
});

test('a list in the body makes a surface of each of its objects', async (t) => {
  const { app, from } = await serve(t);
  const post = async (body: unknown) => {
    const headers = { 'Content-Type': 'application/json' };
    return app.request(`/surfaces?${from}`, { ...POST, headers, body: JSON.stringify(body) });
  };
  const made = (await (await post([{ time: '9:00' }, { routerId: 'twin', cutoffMinutes: 20 }])).json()) as any[];
  t.deepEqual(
    made.map(({ id, params }) => [id, params.time, params.routerId, params.cutoffMinutes]),
    [
      [0, '9:00', undefined, undefined],
      [1, '8:00am', 'twin', '20'],
    ],
  );
  const refused = await post([{}, { cutoffMinutes: 'x' }]);
  t.is(refused.status, 400);
  t.regex(await refused.text(), /^surface 2: cutoffMinutes/);
  t.is((await app.json('/surfaces')).length, 2, 'all or none');
  t.is((await post(Array(101).fill({}))).status, 413);
  t.is((await post([1])).status, 400);
  const unclear = await post([{ time: { hour: 9 } }]);
  t.is(unclear.status, 400);
  t.is(await unclear.text(), 'surface 1: time: must be a single value, not an object\n');
  const nested = `[{"time":${'['.repeat(50_000)}${']'.repeat(50_000)}}]`;
  const headers = { 'Content-Type': 'application/json' };
  const deep = await app.request(`/surfaces?${from}`, { ...POST, headers, body: nested });
  t.is(await deep.text(), 'surface 1: time: must be a list of single values\n');
  const [kept] = (await (await post([{ time: null, cutoffMinutes: null }])).json()) as any[];
  t.is(kept.params.time, '8:00am', 'null is no value');
  t.is(((await (await post({})).json()) as any).id, 3, 'other bodies have no meaning');
});

test('beyond a hundred surfaces the least recently used ones are gone', async (t) => {
  const { app, from, surface } = await serve(t);
  const first = await surface();
  const body = JSON.stringify(Array(100).fill({ mode: 'WALK', cutoffMinutes: '1' }));
  const headers = { 'Content-Type': 'application/json' };
  t.is((await app.request(`/surfaces?${from}`, { ...POST, body, headers })).status, 200);
  t.is((await app.json('/surfaces')).length, 100);
  t.is((await app.get(`/surfaces/${first}`)).status, 404);
});

for (const [query, status, text] of [
  ['', 400, /^batch: must be true/],
  ['batch=true', 400, /^fromPlace/],
  [
    'batch=true&fromPlace=10,10&date=2026-11-23&time=8:00',
    400,
    /^VertexNotFoundException: vertices not found: \[from\] \(the place is unknown, or no street is near it\)/,
  ],
  ['batch=true&fromPlace=1,1&mode=HOVER', 400, /^mode/],
  ['batch=true&fromPlace=1,1&date=never', 400, /^date/],
  ['batch=true&fromPlace=1,1&cutoffMinutes=-1', 400, /cutoffMinutes/],
  ['batch=true&fromPlace=1,1&cutoffMinutes=100000', 400, /cutoffMinutes/],
  // 44 and 16 seconds in 32 bits.
  ['batch=true&fromPlace=1,1&cutoffMinutes=71582789', 400, /cutoffMinutes/],
  ['batch=true&fromPlace=1,1&cutoffMinutes=-71582788', 400, /cutoffMinutes/],
  ['batch=true&fromPlace=1,1&routerId=nowhere', 404, /'nowhere' not registered/],
] as const) {
  test(`POST /surfaces?${query} says what is wrong`, async (t) => {
    const { app } = await serve(t);
    const response = await app.request(`/surfaces?${query}`, POST);
    t.is(response.status, status);
    t.regex(await response.text(), text);
  });
}

test('a surface that is removed while its indicator is computed is unknown', async (t) => {
  const directory = await temporaryDirectory(t);
  const { app, surface } = await serveAnalysis(t, town, directory);
  const id = await surface('');
  // A file of this size is read in a thread, so the surface is gone before the set is there.
  const rows = '48.00561234,15.03061234,1\n'.repeat(50_000);
  await writeFile(path.join(directory, 'many.csv'), `lat,lon,jobs\n${rows}`);
  const computed = app.request(`/surfaces/${id}/indicator?targets=many`, {});
  t.is((await app.request(`/surfaces/${id}`, { method: 'DELETE' })).status, 200);
  const answer = await computed;
  t.is(answer.status, 400);
  t.is(await answer.text(), 'Bad request: Invalid TimeSurface ID.');
});

test('indicator: amounts per minute, times of every feature with detail', async (t) => {
  const { app, surface } = await serve(t);
  const id = await surface();
  const plain = await app.json(`/surfaces/${id}/indicator?targets=jobs`);
  t.deepEqual(Object.keys(plain), ['properties', 'data']);
  t.is(plain.properties.id, `null_${id}`);
  t.is(plain.data.jobs.sums.length, plain.data.jobs.counts.length);
  const detailed = await app.json(`/surfaces/${id}/indicator?targets=jobs&detail=true`);
  const [near, further, away] = detailed.times;
  t.true(near >= 0 && near < further && further < 900, String(detailed.times));
  t.is(away, 2 ** 31 - 1);
  for (const [path, text] of [
    [`/surfaces/${id}/indicator`, 'Bad request: Missing or invalid target PointSet ID.'],
    [`/surfaces/${id}/indicator?targets=nope`, 'Bad request: Missing or invalid target PointSet ID.'],
    ['/surfaces/99/indicator?targets=jobs', 'Bad request: Invalid TimeSurface ID.'],
  ] as const) {
    const response = await app.get(path);
    t.deepEqual([response.status, await response.text()], [400, text], path);
  }
});

test('a member of a matrix that is not known is refused by its name', async (t) => {
  const { app, from } = await serve(t);
  const send = async (body: string) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await app.request(`/routers/default/matrix?${from}`, { ...POST, body, headers });
    return `${answer.status} ${await answer.text()}`;
  };
  const places = '[[48.0056,15.0306]]';
  t.is(
    await send(`{"origins":${places},"destination":${places}}`),
    '400 "destination": unknown member; did you mean "destinations"?\n',
  );
  t.is(
    await send(`{"origins":${places},"destinations":${places},"maxTimeSec":60}`),
    '400 "maxTimeSec": unknown member\n',
  );
  t.is(await send('null'), '400 the body is not a JSON object\n');
});

test('a longest time of a matrix that is out of range is refused by its name', async (t) => {
  const { app, from } = await serve(t);
  const body = '{"origins":[[48.0056,15.0306]],"destinations":[[48.0304,15.0714]]}';
  const headers = { 'Content-Type': 'application/json' };
  for (const seconds of [0, 86_401]) {
    const answer = await app.request(`/routers/default/matrix?${from}&maxTimeSec=${seconds}`, {
      ...POST,
      body,
      headers,
    });
    t.is(`${answer.status} ${await answer.text()}`, `400 maxTimeSec: ${seconds} is not in range [1,86400]\n`);
  }
});

test('the surface and the matrix agree about walks', async (t) => {
  const { app, surface, from } = await serve(t);
  const { times } = await app.json(`/surfaces/${await surface('&mode=WALK')}/indicator?targets=jobs&detail=true`);
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  const body = JSON.stringify({
    origins: [[lat, lon]],
    destinations: [
      [lat + 0.002, lon],
      [10, 10],
    ],
  });
  const headers = { 'Content-Type': 'application/json' };
  const matrix = await app.request(`/routers/default/matrix?${from}&mode=WALK&walkSpeed=1.3`, {
    ...POST,
    body,
    headers,
  });
  const { seconds } = (await matrix.json()) as { seconds: Array<Array<number | null>> };
  t.is(seconds[0]?.[1], null);
  // The indicator walks at 1.3 m/s off the streets, and at the request's 1.33 m/s on them.
  t.true(Math.abs((seconds[0]?.[0] ?? 0) - times[1]) < 0.05 * times[1], `${seconds} ${times}`);
});

test('isochrone: evenly spaced contours, the largest first', async (t) => {
  const { app, surface } = await serve(t);
  const id = await surface('&cutoffMinutes=40');
  const minutes = async (query: string) => {
    const { features } = await app.json(`/surfaces/${id}/isochrone${query}`);
    return features.map((feature: any) => feature.properties.time / 60);
  };
  t.deepEqual(await minutes(''), [30]);
  t.deepEqual(await minutes('?spacing=10&nMax=9'), [40, 30, 20, 10]);
  t.deepEqual(await minutes('?spacing=-1&nMax=-1'), []);
  t.deepEqual(await minutes('?spacing=71582789'), [], 'not the 44 seconds that are left of it in 32 bits');
  t.is((await app.get(`/surfaces/${id}/isochrone?spacing=x`)).status, 400);
  t.is((await app.get('/surfaces/99/isochrone')).status, 400);
});

test('isotiles: pictures that are sent again only when they have changed', async (t) => {
  const { app, surface, tile } = await serve(t);
  const id = await surface();
  const response = await app.get(`/surfaces/${id}/isotiles/${tile(15)}`);
  t.is(response.headers.get('Content-Type'), 'image/png');
  t.is(response.headers.get('Cache-Control'), 'no-transform, no-cache');
  const etag = response.headers.get('ETag') ?? '';
  t.not(etag, '');
  const colours = await pixels(response);
  t.is(colours.length, 256 * 256 * 4);
  t.true(new Set(colours).size > 10, 'more than one colour');
  t.is(await statusOf(app, `/surfaces/${id}/isotiles/${tile(15)}`, etag), 304);
  const other = await surface('&mode=WALK');
  t.is(await statusOf(app, `/surfaces/${other}/isotiles/${tile(15)}`, etag), 200);
  const nowhere = await pixels(await app.get(`/surfaces/${id}/isotiles/13/0/0.png`));
  t.deepEqual(new Set(nowhere), new Set([100, 200]), 'no value: grey, mostly opaque');
});

test('difference tiles: also between routers; the difference of a surface from itself is empty', async (t) => {
  const { app, surface, tile } = await serve(t);
  const [transit, walk, twin] = [await surface(), await surface('&mode=WALK'), await surface('&routerId=twin')];
  const difference = async (a: number, b: number) =>
    pixels(await app.get(`/surfaces/${a}/differencetiles/${b}/${tile(14)}`));
  t.deepEqual(new Set(await difference(transit, transit)), new Set([0]));
  t.deepEqual(await difference(transit, twin), await difference(transit, transit), 'the twin is the same town');
  const slower = await difference(walk, transit);
  const faster = await difference(transit, walk);
  t.true(new Set(slower).size > 5);
  t.notDeepEqual(slower, faster);
  for (const path of [
    `/surfaces/${walk}/differencetiles/99/${tile(14)}`,
    `/surfaces/99/differencetiles/0/${tile(14)}`,
  ]) {
    const response = await app.get(path);
    t.deepEqual([response.status, await response.text()], [400, 'Bad request: Unrecognized surface ID.']);
  }
});

test('tiles that do not exist', async (t) => {
  const { app, surface } = await serve(t);
  const id = await surface();
  for (const [tile, status] of [
    ['3/8/0.png', 400],
    ['23/0/0.png', 400],
    ['3/0/99999999999.png', 404],
    ['-1/0/0.png', 400],
    ['z/x/y.png', 404],
    ['3/0/0.jpg', 404],
  ] as const) {
    t.is((await app.get(`/surfaces/${id}/isotiles/${tile}`)).status, status, tile);
    t.is((await app.get(`/surfaces/${id}/differencetiles/${id}/${tile}`)).status, status, tile);
  }
});

test('a removed surface has no tiles', async (t) => {
  const { app, surface, tile } = await serve(t);
  const id = await surface();
  t.is((await app.get(`/surfaces/${id}/isotiles/${tile(14)}`)).status, 200);
  await app.request(`/surfaces/${id}`, { method: 'DELETE' });
  t.is((await app.get(`/surfaces/${id}/isotiles/${tile(14)}`)).status, 400);
});

test('raster in the grid of a country: its corners are those in degrees', async (t) => {
  const { app, surface } = await serve(t);
  const id = await surface();
  const bounds = async (crs: string) => {
    const response = await app.get(`/surfaces/${id}/raster?crs=${crs}&width=300&height=200`);
    const keys = (await (await fromArrayBuffer(await response.arrayBuffer())).getImage()).getGeoKeys();
    const told = (response.headers.get('Raster-Bounds') ?? '').split(',').map(Number);
    return { keys: keys as Record<string, number>, told };
  };
  const degrees = await bounds('EPSG:4326');
  const grid = await bounds('EPSG:31469');
  t.is(grid.keys.ProjectedCSTypeGeoKey, 31_469);
  const [west = 0, south = 0, east = 0, north = 0] = degrees.told;
  // Metres east and north of a place on the central meridian, which is near the town.
  const across = 111_320 * Math.cos(((south + north) / 2) * (Math.PI / 180));
  const [left = 0, bottom = 0, right = 0, top = 0] = grid.told;
  t.true(Math.abs(left - 5_500_000 - (west - 15) * across) < 400, String(left));
  t.true(Math.abs(right - 5_500_000 - (east - 15) * across) < 400, String(right));
  t.true(Math.abs((top - bottom) / (north - south) - 111_200) < 500, `${bottom} ${top}`);
});

for (const [crs, perDegree] of [
  ['EPSG:4326', 1],
  ['EPSG:3857', 111_319.49],
] as const) {
  test(`raster in ${crs}: the corners of the file are those of the walkable streets`, async (t) => {
    const { app, surface } = await serve(t);
    const response = await app.get(`/surfaces/${await surface()}/raster?crs=${crs}&width=300&height=200`);
    t.is(response.headers.get('Content-Type'), 'image/geotiff');
    const image = await (await fromArrayBuffer(await response.arrayBuffer())).getImage();
    t.deepEqual([image.getWidth(), image.getHeight()], [300, 200]);
    const [west = 0, south = 0, east = 0, north = 0] = image.getBoundingBox();
    const info = town.graph.info();
    const within = (value: number, low: number, high: number) => value > low - 0.02 && value < high + 0.02;
    t.true(within(west / perDegree, info.lowerLeftLongitude, info.centerLongitude), String(west));
    t.true(within(east / perDegree, info.centerLongitude, info.upperRightLongitude), String(east));
    t.true(north > south);
    const told = (response.headers.get('Raster-Bounds') ?? '').split(',').map(Number);
    for (const [side, value] of [west, south, east, north].entries()) {
      t.true(Math.abs((told[side] ?? Number.NaN) - value) < perDegree * 1e-7, `${told} ${image.getBoundingBox()}`);
    }
    const keys = image.getGeoKeys() as Record<string, number>;
    t.is(keys.GeographicTypeGeoKey ?? keys.ProjectedCSTypeGeoKey, Number(crs.slice(5)));
    const [band] = (await image.readRasters()) as unknown as Uint8Array[];
    t.true((band ?? []).some((minutes) => minutes > 0 && minutes < 120));
  });
}

test('raster: invalid sizes, formats and systems', async (t) => {
  const { app, surface } = await serve(t);
  const id = await surface();
  const get = (query: string) => app.get(`/surfaces/${id}/raster?${query}`);
  const sized = await get('format=image/png&resolution=0.001');
  const { width = 0 } = await sharp(Buffer.from(await sized.arrayBuffer())).metadata();
  t.true(width > 10 && width < 200, String(width));
  for (const format of ['png', 'gif', 'jpeg']) {
    const response = await get(`width=64&height=48&format=image/${format}`);
    t.is(response.headers.get('Content-Type'), `image/${format}`);
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    t.deepEqual([width, height], [64, 48]);
  }
  for (const [query, status, text] of [
    ['format=bogus', 400, /^malformed image format mime type: bogus/],
    ['format=image/bogus', 400, /^unsupported image format: bogus/],
    ['crs=EPSG:0', 400, /^crs: "EPSG:0" is not supported/],
    ['crs=32633', 400, /^crs: "32633" is not a code such as EPSG:32633/],
    ['width=-1', 400, /width and height/],
    ['width=0', 400, /width and height/],
    ['width=100000&height=100000', 413, /pixels/],
    ['resolution=0', 400, /resolution/],
    ['resolution=0.0000001', 413, /pixels/],
  ] as const) {
    const response = await get(query);
    t.is(response.status, status, query);
    t.regex(await response.text(), text);
  }
  t.is((await app.get('/surfaces/99/raster')).status, 404);
});
