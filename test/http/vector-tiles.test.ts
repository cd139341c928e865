/** Vector tiles of the sample town, decoded, and their description. */

import { get as httpGet, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import test, { type ExecutionContext } from 'ava';
import type { Graph, IndexStop } from '../../src/native/types.js';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startApp } from '../support/test-app.js';
import { checkedRings } from '../support/tile-areas.js';
import { readTile, type TileFeature, tileAround } from '../support/vector-tile.js';

const town = builtBefore(test, buildSampleTown);

async function serve(t: ExecutionContext) {
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(town.graph) }], { flags: { insecure: true } });
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  const middle = { lat, lon };
  const get = (layers: string, path: string, headers = {}) =>
    app.get(`/routers/r/vectorTiles/${layers}/${path}`, headers);
  const read = async (layers: string, path: string) => {
    const answer = await get(layers, path);
    t.is(answer.status, 200, path);
    return readTile(new Uint8Array(await answer.arrayBuffer()));
  };
  return { app, middle, get, read };
}

/** A served stop that is no part of a station. */
function someStop(graph: Graph): IndexStop {
  const stop = graph.stopsSync(graph.list('stops')).find(({ parentStation }) => !parentStation);
  if (stop === undefined) throw new Error('the town has no such stop');
  return stop;
}

const away = (feature: TileFeature | undefined, at: { x: number; y: number }) => {
  const [point] = feature?.parts[0] ?? [];
  return point === undefined ? Number.POSITIVE_INFINITY : Math.hypot(point.x - at.x, point.y - at.y);
};

test('a stop is where the feed says, under the id of the index', async (t) => {
  const { read } = await serve(t);
  const stop = someStop(town.graph);
  for (const z of [13, 16]) {
    const { path, at } = tileAround(stop, z);
    const { stops = [] } = await read('stops', path);
    const found = stops.find(({ properties }) => properties.id === stop.id);
    t.is(found?.properties.name, stop.name);
    t.is(found?.type, 1);
    t.true(away(found, at) < 1.5, `${away(found, at)}`);
    t.regex(String(found?.properties.modes), /^[A-Z_,]+$/);
  }
});

test('patterns have the colours of their routes', async (t) => {
  const { read, middle } = await serve(t);
  const { patterns = [] } = await read('patterns', tileAround(middle, 12).path);
  t.true(patterns.length > 3);
  const routes = new Map(town.graph.routesSync(town.graph.list('routes')).map((route) => [route.id, route]));
  for (const { properties, type, parts } of patterns) {
    const route = routes.get(String(properties.route));
    t.is(type, 2);
    t.is(properties.color, route?.color ? `#${route.color}` : undefined);
    t.is(properties.mode, route?.mode);
    t.true(parts.every((part) => part.length > 1));
  }
  const places = patterns.map(({ properties }) => properties.route);
  t.is(new Set(places).size, places.length, 'a route is one feature');
});

test('edges say what the inspector shows', async (t) => {
  const { read, middle } = await serve(t);
  const { edges = [] } = await read('edges', tileAround(middle, 15).path);
  t.true(edges.length > 50);
  const permissions = new Set(edges.map(({ properties }) => properties.permission));
  t.true(permissions.has('WALK,BICYCLE,CAR'), [...permissions].join(' '));
  for (const { properties, parts } of edges) {
    t.is(typeof properties.id, 'number');
    t.is(properties.carSpeed !== undefined, String(properties.permission).includes('CAR'));
    t.true(parts.flat().every(({ x, y }) => Math.min(x, y) >= -64 && Math.max(x, y) <= 4160));
  }
  t.deepEqual(await read('edges', tileAround(middle, 13).path), {}, 'too many for lower zooms');
});

test('rental stations and vehicles come from live data, and browsers ask for them again each time', async (t) => {
  const { app, middle, get, read } = await serve(t);
  const station = { id: 's', name: 'Praça', bikesAvailable: 3, spacesAvailable: 4, allowDropoff: true };
  const rest = { isFloatingBike: false, isCarStation: false, networks: ['a', 'b'], realTimeData: true };
  const far = { ...middle, lat: middle.lat + 1 };
  await app.deps.registry.use('r', async (router) => {
    const live = app.deps.live.of(router);
    live?.putVehicles(0, [
      { id: 'v', ...middle, bearing: 90, tripId: 't' },
      { id: 'w', ...far },
    ]);
    await live?.putStations(0, [{ ...station, ...middle, ...rest }]);
  });
  const { path, at } = tileAround(middle, 15);
  const { rentals = [], vehicles = [] } = await read('vehicles,rentals', path);
  t.is(rentals.length, 1);
  t.like(rentals[0]?.properties, { id: 's', name: 'Praça', bikesAvailable: 3, spacesAvailable: 4, networks: 'a,b' });
  t.deepEqual(
    vehicles.map(({ properties }) => properties),
    [{ id: 'v', trip: 't', bearing: 90 }],
  );
  t.true(away(vehicles[0], at) < 1.5);
  t.is((await get('rentals', path)).headers.get('Cache-Control'), 'no-transform, no-cache');
  t.is((await get('stops', path)).headers.get('Cache-Control'), 'no-transform, max-age=3600');
});

test('tiles are packed once for those who can unpack them, and have tags', async (t) => {
  const { app, middle, get } = await serve(t);
  const { path } = tileAround(middle, 14);
  const packed = await get('all', path, { 'Accept-Encoding': 'gzip' });
  const plain = await get('all', path, { 'Accept-Encoding': 'identity' });
  t.is(packed.headers.get('Content-Encoding'), 'gzip');
  t.is(plain.headers.get('Content-Encoding'), null);
  t.is(plain.headers.get('Content-Type'), 'application/vnd.mapbox-vector-tile');
  t.regex(packed.headers.get('Vary') ?? '', /Accept-Encoding/);
  const bytes = Buffer.from(await plain.arrayBuffer());
  t.deepEqual(Buffer.from(await packed.arrayBuffer()), bytes);
  const point = { ...middle, layer: 'vehicles', attributes: {} };
  const [z = 0, x = 0, y = 0] = path.split(/[/.]/).map(Number);
  const request = { layers: ['vehicles'], z, x, y, points: [point] };
  const raw = await town.graph.vectorTile({ ...request, gzip: true });
  t.deepEqual(gunzipSync(raw), await town.graph.vectorTile({ ...request, gzip: false }));
  const etag = packed.headers.get('ETag') ?? '';
  // `fetch` would ask for a new answer whatever the tag.
  const again = await new Promise((resolve, reject) => {
    const headers = { 'Accept-Encoding': 'gzip', 'If-None-Match': etag };
    const answered = (response: IncomingMessage) => resolve(response.resume().statusCode);
    httpGet(`${app.base}/routers/r/vectorTiles/all/${path}`, { headers }, answered).on('error', reject);
  });
  t.is(again, 304);
});

test('the base map has streets by class with their names, fewer of them at low zooms', async (t) => {
  const { read, middle } = await serve(t);
  const classes = async (z: number) => {
    const { streets = [] } = await read('streets', tileAround(middle, z).path);
    for (const { type, properties } of streets) t.deepEqual([type, typeof properties.class], [2, 'string']);
    return streets;
  };
  const [near, far] = [await classes(15), await classes(11)];
  t.true(near.some(({ properties }) => properties.class === 'minor' && properties.name !== undefined));
  t.false(far.some(({ properties }) => properties.class === 'minor'));
  t.true(far.length > 0);
  const names = near.map(({ properties }) => JSON.stringify(properties));
  t.is(new Set(names).size, names.length, 'what is alike is one feature');
});

test('areas of the base map are whole: outlines have a positive area', async (t) => {
  const { read, middle } = await serve(t);
  let areas = 0;
  for (const z of [10, 12, 13, 14]) {
    const { land = [], water = [] } = await read('land,water', tileAround(middle, z).path);
    for (const feature of [...land, ...water]) areas += checkedRings(t, feature).outlines;
  }
  t.true(areas > 5, `${areas}`);
});

test('the style is valid and draws only what the tiles have', async (t) => {
  const { app } = await serve(t);
  const seen = new Set<string>();
  for (const theme of ['light', 'dark']) {
    const style = await app.json(`/routers/r/vectorTiles/style.json?theme=${theme}`);
    t.deepEqual(validateStyleMin(style), [], theme);
    t.is(style.glyphs, undefined);
    seen.add(JSON.stringify(style.layers));
    const sources: Record<string, any> = {};
    for (const [name, { url }] of Object.entries<any>(style.sources)) sources[name] = await (await fetch(url)).json();
    for (const layer of style.layers.slice(1)) {
      const described = sources[layer.source].vector_layers.find(({ id }: any) => id === layer['source-layer']);
      t.truthy(described, layer.id);
      const named = [...JSON.stringify(layer).matchAll(/\["(?:get|has)","(\w+)"\]/g)].map(([, name]) => name ?? '');
      for (const name of named) t.true(name in described.fields, `${layer.id} ${name}`);
    }
  }
  t.is(seen.size, 2);
  const scenario = await app.get('/routers/r/vectorTiles/style.json?theme=bogus');
  t.is(scenario.status, 400);
});

test('a tile of an area without features is empty', async (t) => {
  const { read } = await serve(t);
  t.deepEqual(await read('all', '16/0/0.pbf'), {});
  t.deepEqual(await read('all', '0/0/0.pbf'), {});
});

test('tiles and layers that do not exist are reported', async (t) => {
  const { get } = await serve(t);
  const paths = ['17/0/0.pbf', '3/8/0.pbf', '3/0/8.pbf', '99999999/0/0.pbf', '1/-1/0.pbf', '1/0/x.pbf', '1/0/0.png'];
  for (const path of [...paths, '1.5/0/0.pbf', '1/0/0', '4294967296/0/0.pbf', '1/0/.pbf']) {
    const answer = await get('stops', path);
    t.is(answer.status, 404, path);
    t.regex(await answer.text(), /tile/);
  }
  for (const layers of ['bogus', 'stops,bogus', ',', '__proto__', 'stops,,edges', '%E2%82%AC']) {
    const answer = await get(layers, '1/0/0.pbf');
    t.is(answer.status, 404, layers);
    t.regex(await answer.text(), /there is no layer .*; there are .*stops/);
  }
  t.is((await get('stops', '1/0/0.pbf?scenario=none')).status, 400);
});

test('the description names the tiles and what is in them', async (t) => {
  const { app, middle, get } = await serve(t);
  const described = (await (await get('stops,edges', 'tilejson.json')).json()) as any;
  t.is(described.tilejson, '3.0.0');
  for (const { id, fields } of described.vector_layers) {
    t.deepEqual(Object.keys(fields), Object.keys(fields).sort(), `${id}: all processes send the same text`);
  }
  t.deepEqual(described.vector_layers.map(({ id }: any) => id).sort(), ['edges', 'stops']);
  t.is(described.vector_layers.find(({ id }: any) => id === 'stops').fields.name, 'String');
  t.deepEqual([described.minzoom, described.maxzoom], [9, 16]);
  const [west, south, east, north] = described.bounds;
  t.true(west < middle.lon && middle.lon < east && south < middle.lat && middle.lat < north);
  t.is(described.tiles[0], `${app.base}/routers/r/vectorTiles/stops,edges/{z}/{x}/{y}.pbf`);
  const { path } = tileAround(middle, 15);
  const [z = '', x = '', y = ''] = path.split(/[/.]/);
  const address = described.tiles[0].replace('{z}', z).replace('{x}', x).replace('{y}', y);
  const tile = readTile(new Uint8Array(await (await fetch(address)).arrayBuffer()));
  const fields = described.vector_layers.find(({ id }: any) => id === 'edges').fields;
  for (const { properties } of tile.edges ?? []) {
    for (const [name, value] of Object.entries(properties)) t.is(typeof value, fields[name]?.toLowerCase(), name);
  }
});
