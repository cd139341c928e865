/** Vector tiles of a router: features of the graph and of live data, which maps draw and style themselves. */

import type { Context } from 'koa';
import { HttpError } from '../../../http-error.js';
import { loadAddon } from '../../../native/addon.js';
import { graphInfo } from '../../../native/graph-info.js';
import type { TilePlace, VectorTileLayer, VectorTilePoint } from '../../../native/types.js';
import { quoted } from '../../../quoted.js';
import type { Router } from '../../../registry/router.js';
import { MAP_THEMES, presentStyle } from '../../../serialization/map-style.js';
import { presentTileJson, rentalPoint, vehiclePoint } from '../../../serialization/vector-tile.js';
import { type RentalStation, UNKNOWN_SPACES } from '../../../updaters/rental-station.js';
import { ALWAYS_ASK, cachingOf } from '../../answers/caching.js';
import { respondBytes, respondJson } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
import { underScenario } from '../../request/use-router.js';
import { routesWith } from '../../route.js';

const MEDIA_TYPE = 'application/vnd.mapbox-vector-tile';

const LIVE_LAYERS: ReadonlySet<string> = new Set(['rentals', 'vehicles']);

const TILES = parameters({ scenario: parameter.text('Id of a scenario whose changes the tiles show') });
const STYLE = {
  ...parameters({ theme: parameter.text('`light` or `dark`', { default: 'light' }) }),
  ...TILES,
};

export const vectorTileRoutes = routesWith({ tag: 'Vector tiles' }, [
  {
    method: 'GET',
    path: '/routers/:routerId/vectorTiles/:layers/tilejson.json',
    handler: describeTiles,
    summary: 'Describe the tiles of some layers (TileJSON), with `all` for all of them',
    answer: 'TileJson',
    query: TILES,
  },
  {
    method: 'GET',
    path: '/routers/:routerId/vectorTiles/style.json',
    handler: style,
    summary: 'A style for MapLibre over the tiles',
    answer: 'MapStyle',
    query: STYLE,
  },
  {
    method: 'GET',
    path: '/routers/:routerId/vectorTiles/:layers/:z/:x/:file',
    handler: tile,
    summary: 'A vector tile `{y}.pbf` with some layers, comma-separated, or `all`',
    produces: [MEDIA_TYPE],
    cost: 'search',
    query: TILES,
  },
]);

async function describeTiles(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const { routerId, layers = '' } = ctx.params as Record<string, string>;
  const chosen = await layersOf(layers);
  const tiles = `${folderOf(ctx)}{z}/{x}/{y}.pbf${scenarioOf(query)}`;
  const present = (router: Router) => presentTileJson(router.id, chosen, graphInfo(router.graph), tiles);
  respondJson(
    ctx,
    await deps.registry.use(routerId, (router) => underScenario(deps, router, query, () => present(router))),
  );
}

async function style(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const theme = query.value(STYLE.theme);
  const known = MAP_THEMES.find((name) => name === theme);
  if (known === undefined) throw new BadParameter('theme', `must be one of ${MAP_THEMES.join(', ')}`);
  const source = (layers: string) => `${folderOf(ctx)}${layers}/tilejson.json${scenarioOf(query)}`;
  const present = (router: Router) => presentStyle(router.id, known, source);
  respondJson(
    ctx,
    await deps.registry.use(ctx.params.routerId, (router) => underScenario(deps, router, query, () => present(router))),
  );
}

/** The address of the folder of a request's path, with a slash at its end. */
function folderOf(ctx: Context): string {
  const scheme = ctx.state.origin.https ? 'https' : 'http';
  return `${scheme}://${ctx.get('Host')}${ctx.path.slice(0, ctx.path.lastIndexOf('/') + 1)}`;
}

/** The query of the addresses below that of a request, which have the same scenario. */
function scenarioOf(query: Query): string {
  const scenario = query.given(TILES.scenario);
  return scenario === undefined ? '' : `?scenario=${encodeURIComponent(scenario)}`;
}

async function tile(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const { routerId, layers = '' } = ctx.params as Record<string, string>;
  const chosen = await layersOf(layers);
  const place = tilePlace(ctx, Math.max(...chosen.map(({ maxZoom }) => maxZoom)));
  const keys = chosen.map(({ key }) => key);
  const gzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  const bytes = await deps.registry.use(routerId, async (router) => {
    const points = (await Promise.all(chosen.map((layer) => livePoints(layer, place, deps, router)))).flat();
    const request = { layers: keys, ...place, points, gzip };
    return underScenario(deps, router, query, ({ graph }) => graph.vectorTile(request));
  });
  ctx.set('Cache-Control', keys.some((key) => LIVE_LAYERS.has(key)) ? ALWAYS_ASK : cachingOf(query));
  if (gzip && bytes.length > 0) ctx.set('Content-Encoding', 'gzip');
  respondBytes(ctx, MEDIA_TYPE, bytes);
}

/** The layers that a path names. Throws 404 for one that does not exist. */
async function layersOf(names: string): Promise<readonly VectorTileLayer[]> {
  const known = (await loadAddon()).vectorTileLayers();
  if (names === 'all') return known;
  const chosen = new Set(names.split(','));
  for (const name of chosen) {
    if (known.some(({ key }) => key === name)) continue;
    const all = known.map(({ key }) => key).join(', ');
    throw new HttpError(404, `there is no layer ${quoted(name)}; there are ${all}\n`);
  }
  return known.filter(({ key }) => chosen.has(key));
}

/** The tile that a path ends in. Throws 404 for one that does not exist. */
function tilePlace(ctx: Context, maxZoom: number): TilePlace {
  const { z, x, file = '' } = ctx.params as Record<string, string>;
  const row = /^(.*)\.(?:pbf|mvt)$/.exec(file)?.[1];
  const [zoom, column, line] = [z, x, row].map((text) => (/^\d{1,8}$/.test(text ?? '') ? Number(text) : undefined));
  if (zoom === undefined || column === undefined || line === undefined) {
    throw new HttpError(404, 'the path of a tile is z/x/y.pbf\n');
  }
  if (zoom > maxZoom) throw new HttpError(404, `there are no tiles above zoom ${maxZoom}\n`);
  if (Math.max(column, line) >= 2 ** zoom) throw new HttpError(404, 'no such tile\n');
  return { z: zoom, x: column, y: line };
}

/** The live data of a layer. Only points near the tile are included, so that little data is passed to the addon. */
async function livePoints(
  { key, minZoom }: VectorTileLayer,
  place: TilePlace,
  { live }: HandlerDeps,
  router: Router,
): Promise<VectorTilePoint[]> {
  if (!LIVE_LAYERS.has(key) || place.z < minZoom) return [];
  const data = live.of(router);
  const isNear = nearTile(place);
  if (key === 'vehicles') return (data?.vehicles() ?? []).filter(isNear).map(vehiclePoint);
  const spaces = ({ spacesAvailable }: RentalStation) =>
    spacesAvailable === UNKNOWN_SPACES ? undefined : spacesAvailable;
  const stations = (await data?.stations()) ?? [];
  return stations.filter(isNear).map((station) => rentalPoint(station, spaces(station)));
}

/** Whether a position is in a tile or at most a tile away from it. */
function nearTile({ z, x, y }: TilePlace): (at: { lat: number; lon: number }) => boolean {
  const tiles = 2 ** z;
  const longitude = (column: number) => (column / tiles) * 360 - 180;
  const latitude = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / tiles))) * 180) / Math.PI;
  const [west, east, north, south] = [longitude(x - 1), longitude(x + 2), latitude(y - 1), latitude(y + 2)];
  return ({ lat, lon }) => lat >= south && lat <= north && lon >= west && lon <= east;
}
