/** Pictures of a router's graph: the list of layers, and their tiles. */

import type { Context } from 'koa';
import { HttpError } from '../../../http-error.js';
import { loadAddon } from '../../../native/addon.js';
import { JSON_OR_XML } from '../../answers/negotiation.js';
import { respond } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
import { routesWith } from '../../route.js';
import { encoded } from './image-format.js';

/** The first layers are those that clients of the interface know; the list shows the others only on request. */
const BASIC_LAYERS = 3;

/** Formats by their extension. */
const FORMATS = ['png', 'gif', 'jpeg'] as const;

const LAYERS = parameters({ all: parameter.boolean('List the further layers too', { default: false }) });

export const inspectorRoutes = routesWith({ tag: 'Inspector' }, [
  {
    method: 'GET',
    path: '/routers/:routerId/inspector/layers',
    handler: listLayers,
    summary: 'List the layers of pictures of the graph',
    answer: 'InspectorLayers',
    produces: JSON_OR_XML,
    query: LAYERS,
  },
  {
    method: 'GET',
    path: '/routers/:routerId/inspector/tile/:layer/:z/:x/:file',
    handler: tile,
    summary: 'Draw a tile of a layer as PNG, GIF or JPEG',
    produces: ['image/png', 'image/gif', 'image/jpeg'],
    cost: 'search',
  },
]);

async function listLayers(ctx: Context, { registry }: HandlerDeps, query: Query): Promise<void> {
  const { inspectorLayers } = await loadAddon();
  const all = query.value(LAYERS.all);
  const known = await registry.use(ctx.params.routerId, () => inspectorLayers());
  const layers = all ? known : known.slice(0, BASIC_LAYERS);
  respond(ctx, 'InspectorLayersList', { layers });
}

async function tile(ctx: Context, { registry }: HandlerDeps): Promise<void> {
  const { routerId, layer = '', file = '' } = ctx.params as Record<string, string>;
  const [, y = '', extension = ''] = /^(.*?)\.(.*)$/.exec(file) ?? [undefined, file, ''];
  const [z, x, row] = [ctx.params.z, ctx.params.x, y].map(tileNumber);
  if (z === undefined || x === undefined || row === undefined) throw new HttpError(404, 'no such tile\n');
  const format = FORMATS.find((known) => known === extension);
  if (format === undefined) throw new HttpError(400, `unsupported image format: ${extension}\n`);
  const { inspectorLayers } = await loadAddon();
  const known = inspectorLayers().find(({ key }) => key === layer);
  if (known === undefined) throw new HttpError(404, `Unknown layer: ${layer}\n`);
  const png = await registry.use(routerId, (router) => router.graph.inspectorTile(known.key, z, x, row));
  ctx.set('Cache-Control', 'no-transform, max-age=3600');
  ctx.set('Content-Type', `image/${format}`);
  ctx.body = format === 'png' ? png : await encoded(png, format);
}

function tileNumber(text: unknown): number | undefined {
  return /^\d{1,8}$/.test(String(text)) ? Number(text) : undefined;
}
