/** /pointsets: places with magnitudes that indicators count. */

import { text as readBody } from 'node:stream/consumers';
import type { Context } from 'koa';
import { type PointSet, PointSetError, parsePointSet } from '../analysis/point-set.js';
import { PointSetDirectory } from '../analysis/point-set-directory.js';
import { pointSetDocument } from '../serialization/pointset.js';
import type { AppDeps } from '../server/deps.js';
import { requireAnalyst } from './analysis-request.js';
import { analysisState } from './analysis-state.js';
import { HttpError } from './errors.js';
import { respondJson, respondText } from './respond.js';
import type { Route } from './route.js';

const TAG = 'Analysis';
const CSV = 'text/csv';
const JSON_TYPES = ['application/json', 'application/geo+json'];

/** The rows of the route table. */
export const pointSetRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/pointsets',
    handler: list,
    summary: 'Ids of the point sets',
    tag: TAG,
    produces: ['application/json'],
  },
  {
    method: 'GET',
    path: '/pointsets/:pointSetId',
    handler: one,
    summary: 'A point set as GeoJSON; of large ones only their size',
    tag: TAG,
    produces: ['application/json'],
  },
  {
    method: 'POST',
    path: '/pointsets/:pointSetId',
    handler: store,
    summary: 'Store a point set: CSV or GeoJSON',
    tag: TAG,
    role: 'ROUTERS',
    produces: ['text/plain'],
    consumes: [CSV, ...JSON_TYPES],
  },
  {
    method: 'DELETE',
    path: '/pointsets/:pointSetId',
    handler: remove,
    summary: 'Remove a point set',
    tag: TAG,
    role: 'ROUTERS',
    produces: ['text/plain'],
  },
];

/** Sets with more features than this are described by their size only. */
const SHOWN_FEATURES = 200;

async function list(ctx: Context, deps: AppDeps): Promise<void> {
  requireAnalyst(deps);
  const ids = await analysisState(deps).pointSets.list();
  respondJson(
    ctx,
    ids.map((id) => ({ id })),
  );
}

async function one(ctx: Context, deps: AppDeps): Promise<void> {
  requireAnalyst(deps);
  const id = String(ctx.params.pointSetId);
  const set = await findPointSet(deps, id);
  if (set === undefined) throw new HttpError(404, 'Invalid PointSet ID.');
  if (set.features.length > SHOWN_FEATURES) return respondJson(ctx, { id, n: set.features.length });
  respondJson(ctx, pointSetDocument(set));
}

/** The set of an id; 400 for a file that is no point set. */
export async function findPointSet(deps: AppDeps, id: string): Promise<PointSet | undefined> {
  try {
    return await analysisState(deps).pointSets.find(id);
  } catch (error) {
    throw error instanceof PointSetError ? new HttpError(400, `point set ${id}: ${error.message}\n`) : error;
  }
}

async function store(ctx: Context, deps: AppDeps): Promise<void> {
  requireAnalyst(deps);
  const id = legalId(ctx);
  const extension = ctx.request.type.toLowerCase() === CSV ? 'csv' : 'json';
  const content = await limitedBody(ctx, deps.config.maxBodyBytes);
  try {
    parsePointSet(`${id}.${extension}`, content);
  } catch (error) {
    throw error instanceof PointSetError ? new HttpError(400, `${error.message}\n`) : error;
  }
  const created = await analysisState(deps).pointSets.store(id, extension, content);
  respondText(ctx, created ? 201 : 200, created ? 'created\n' : 'replaced\n');
}

async function limitedBody(ctx: Context, maxBytes: number): Promise<string> {
  let bytes = 0;
  ctx.req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) ctx.req.destroy();
  });
  try {
    return await readBody(ctx.req);
  } catch (error) {
    if (bytes > maxBytes) throw new HttpError(413, `the body is larger than ${maxBytes} bytes\n`);
    throw error;
  }
}

async function remove(ctx: Context, deps: AppDeps): Promise<void> {
  requireAnalyst(deps);
  const existed = await analysisState(deps).pointSets.remove(legalId(ctx));
  if (!existed) throw new HttpError(404, 'Invalid PointSet ID.');
  respondText(ctx, 200, 'removed\n');
}

function legalId(ctx: Context): string {
  const id = String(ctx.params.pointSetId);
  if (!PointSetDirectory.isLegalId(id)) throw new HttpError(400, 'not a possible id of a point set\n');
  return id;
}
