/** Map tiles that are searched per request, and the legend of their colours. */

import test from 'ava';
import { fromArrayBuffer } from 'geotiff';
import sharp from 'sharp';
import { serveAnalysis } from '../support/analysis-town.js';
import { builtBefore } from '../support/built-graph.js';
import { pixels } from '../support/pixels.js';
import { buildSampleTown } from '../support/sample-graph.js';

const town = builtBefore(test, buildSampleTown);

test('travel times are those of a surface', async (t) => {
  const { app, from, surface, tile } = await serveAnalysis(t, town);
  const own = await pixels(await app.get(`/routers/default/analyst/tile/${tile(14)}?${from}&styles=color30`));
  const id = await surface('&cutoffMinutes=120');
  // AVA would sort the names of all indices before it compares the bytes.
  t.true(own.equals(await pixels(await app.get(`/surfaces/${id}/isotiles/${tile(14)}`))));
});

test('every style is another picture', async (t) => {
  const { app, from, tile } = await serveAnalysis(t, town);
  const seen = new Set<string>();
  for (const style of ['color30', 'GRAY', 'difference', 'Transparent', 'mask', 'boardings']) {
    const response = await app.get(`/routers/default/analyst/tile/${tile(14)}?${from}&styles=${style}`);
    t.is(response.status, 200, style);
    seen.add((await pixels(response)).toString('base64'));
  }
  t.is(seen.size, 6);
});

test('every format; a GeoTIFF holds the minutes and the position of the tile', async (t) => {
  const { app, from, tile } = await serveAnalysis(t, town);
  const get = (format: string) => app.get(`/routers/default/analyst/tile/${tile(14)}?${from}&format=image/${format}`);
  for (const format of ['png', 'gif', 'jpeg']) {
    const response = await get(format);
    t.is(response.headers.get('Content-Type'), `image/${format}`);
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    t.deepEqual([width, height], [256, 256]);
  }
  const image = await (await fromArrayBuffer(await (await get('geotiff')).arrayBuffer())).getImage();
  const [west = 0, south = 0, east = 0, north = 0] = image.getBoundingBox();
  const { centerLatitude, centerLongitude } = town.graph.info();
  t.true(west <= centerLongitude && centerLongitude <= east && south <= centerLatitude && centerLatitude <= north);
  t.true(Math.abs(east - west - 360 / 2 ** 14) < 1e-9);
});

test('the difference of two searches: the second has the second values', async (t) => {
  const { app, from, surface, tile } = await serveAnalysis(t, town);
  const get = async (extra: string) =>
    pixels(
      await app.get(`/routers/default/analyst/tile/${tile(14)}?${from}&layers=DIFFERENCE&styles=difference${extra}`),
    );
  t.deepEqual(new Set(await get('')), new Set([0]), 'twice the same search');
  const [walk, transit] = [await surface('&mode=WALK&cutoffMinutes=120'), await surface('&cutoffMinutes=120')];
  const expected = await pixels(await app.get(`/surfaces/${walk}/differencetiles/${transit}/${tile(14)}`));
  t.true((await get('&mode=WALK&mode=TRANSIT,WALK')).equals(expected));
});

test('the time left between two places is less farther from the way', async (t) => {
  const { app, from, tile } = await serveAnalysis(t, town);
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  const get = async (time: string) => {
    const second = `&toPlace=${lat},${lon}&arriveBy=false&arriveBy=true&time=${time}&mode=WALK`;
    const path = `/routers/default/analyst/tile/${tile(14)}?${from}${second}&layers=hagerstrand&format=image/geotiff`;
    const image = await (await fromArrayBuffer(await (await app.get(path)).arrayBuffer())).getImage();
    const [band] = (await image.readRasters()) as unknown as Uint8Array[];
    const left = [...(band ?? [])].filter((minutes) => minutes < 128);
    return { points: left.length, most: Math.max(...left) };
  };
  // From 8:00 am on in the middle of the town, and back there by that time.
  const [half, whole] = [await get('8:30am'), await get('9:00am')];
  t.true(half.points > 0 && half.points < whole.points, JSON.stringify([half, whole]));
  t.true(half.most <= 30 && half.most >= 25, String(half.most));
  t.true(whole.most <= 60 && whole.most >= 55, String(whole.most));
});

test('without a place there is nothing to show', async (t) => {
  const { app, tile } = await serveAnalysis(t, town);
  const response = await app.get(`/routers/default/analyst/tile/${tile(14)}`);
  t.is(response.status, 204);
  t.is(await response.text(), '');
});

for (const [query, status, text] of [
  ['layers=bogus', 400, 'unknown layer name: bogus'],
  ['styles=pink', 400, 'unknown layer style: pink'],
  ['format=image/bmp', 400, 'unsupported image format: bmp'],
  ['format=png', 400, 'malformed image format mime type: png'],
] as const) {
  test(`tile?${query} says what is wrong`, async (t) => {
    const { app, tile } = await serveAnalysis(t, town);
    const response = await app.get(`/routers/default/analyst/tile/${tile(14)}?${query}`);
    t.deepEqual([response.status, await response.text()], [status, text]);
  });
}

test('legend: all styles and formats, bounded sizes', async (t) => {
  const { app } = await serveAnalysis(t, town);
  const seen = new Set<string>();
  for (const style of ['COLOR30', 'gray', 'difference', 'transparent', 'mask', 'boardings']) {
    const response = await app.get(`/analyst/legend.png?styles=${style}`);
    t.is(response.status, 200, style);
    seen.add((await pixels(response)).toString('base64'));
  }
  t.is(seen.size, 6);
  for (const [format, type] of [
    ['gif', 'image/gif'],
    ['jpeg', 'image/jpeg'],
    ['jpg', 'image/jpeg'],
  ] as const) {
    const response = await app.get(`/analyst/legend.${format}?width=200&height=50`);
    t.is(response.headers.get('Content-Type'), type);
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    t.deepEqual([width, height], [200, 50]);
  }
  const small = await app.get('/analyst/legend.png?width=1&height=99999');
  const { width, height } = await sharp(Buffer.from(await small.arrayBuffer())).metadata();
  t.deepEqual([width, height], [140, 25]);
  for (const path of ['/analyst/legend.bmp', '/analyst/legend.png?styles=pink', '/analyst/legend.png?width=x']) {
    t.is((await app.get(path)).status, 400, path);
  }
});
