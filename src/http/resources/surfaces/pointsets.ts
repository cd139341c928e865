/** /pointsets: places with magnitudes that indicators count. */

import { pipeline } from 'node:stream/promises';
import type { Context } from 'koa';
import {
  MAX_POINT_SET_BYTES,
  MOST_SHOWN_FEATURES,
  type PointSet,
  PointSetError,
  PointSetTooLargeError,
  SHOWN_FEATURES,
} from '../../../analysis/point-set.js';
import { PointSetDirectory } from '../../../analysis/point-set-directory.js';
import { HttpError } from '../../../http-error.js';
import { pointSetDocument } from '../../../serialization/pointset.js';
import { writeBody } from '../../../storage/write-body.js';
import { TEXT_ONLY } from '../../answers/negotiation.js';
import { respondJson, respondLargeJson, respondText } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
import { toUtf8 } from '../../request/body-charset.js';
import { refuseLonger } from '../../request/small-body.js';
import { routesWith } from '../../route.js';
import { requireAnalyst } from '../analysis-request.js';

/** Media types of uploaded sets, each with the extension of the file. */
const UPLOADS: Readonly<Record<string, 'csv' | 'json' | 'zip'>> = {
  'text/csv': 'csv',
  'application/json': 'json',
  'application/geo+json': 'json',
  'application/zip': 'zip',
  'application/x-zip-compressed': 'zip',
};

const PARAMETERS = parameters({
  most: parameter.integer('Features of the largest set that is shown', {
    minimum: 1,
    maximum: MOST_SHOWN_FEATURES,
    default: SHOWN_FEATURES,
  }),
});

export const pointSetRoutes = routesWith({ tag: 'Analysis' }, [
  {
    method: 'GET',
    path: '/pointsets',
    handler: list,
    summary: 'Ids of the point sets',
    answer: 'PointSetList',
  },
  {
    method: 'GET',
    path: '/pointsets/:pointSetId',
    handler: one,
    summary: 'A point set as GeoJSON; of large ones only their size',
    answer: 'PointSetAnswer',
    query: PARAMETERS,
  },
  {
    method: 'POST',
    path: '/pointsets/:pointSetId',
    handler: store,
    summary: 'Store a point set: CSV, GeoJSON or a zipped shapefile',
    role: 'ROUTERS',
    produces: TEXT_ONLY,
    consumes: Object.keys(UPLOADS),
    body: {
      type: 'object',
      description: 'A GeoJSON collection of features',
      required: ['features'],
      properties: { features: { type: 'array', items: { type: 'object' } } },
    },
    upload: true,
  },
  {
    method: 'DELETE',
    path: '/pointsets/:pointSetId',
    handler: remove,
    summary: 'Remove a point set',
    role: 'ROUTERS',
    produces: TEXT_ONLY,
  },
]);

async function list(ctx: Context, deps: HandlerDeps): Promise<void> {
  requireAnalyst(deps);
  const ids = await deps.pointSets.list();
  respondJson(
    ctx,
    ids.map((id) => ({ id })),
  );
}

async function one(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  requireAnalyst(deps);
  const id = String(ctx.params.pointSetId);
  const set = await findPointSet(deps, id);
  if (set === undefined) throw new HttpError(404, 'Invalid PointSet ID.');
  if (set.size > query.value(PARAMETERS.most)) return respondJson(ctx, { id, n: set.size });
  await respondLargeJson(ctx, pointSetDocument(set));
}

/** The set with an id; 400 for a file that is not a point set, 413 for one that is too large. */
export async function findPointSet(deps: HandlerDeps, id: string): Promise<PointSet | undefined> {
  try {
    return await deps.pointSets.find(id);
  } catch (error) {
    throw answerable(error, `point set ${id}: `);
  }
}

function answerable(error: unknown, prefix = ''): unknown {
  if (!(error instanceof PointSetError)) return error;
  return new HttpError(error instanceof PointSetTooLargeError ? 413 : 400, `${prefix}${error.message}\n`);
}

async function store(ctx: Context, deps: HandlerDeps): Promise<void> {
  requireAnalyst(deps);
  const id = legalId(ctx);
  const extension = UPLOADS[ctx.request.type.toLowerCase()] ?? 'json';
  const maxBytes = Math.min(MAX_POINT_SET_BYTES, deps.config.maxUploadBytes);
  refuseLonger(ctx, maxBytes);
  try {
    const write = extension === 'zip' ? writeBody : writeText(ctx.request.charset);
    const created = await deps.pointSets.store(id, extension, (file) => write(ctx.req, file, maxBytes));
    respondText(ctx, created ? 201 : 200, created ? 'created\n' : 'replaced\n');
  } catch (error) {
    throw answerable(error);
  }
}

/** Writes texts as UTF-8, the only encoding that is read without the name of a charset. */
function writeText(charset: string): typeof writeBody {
  if (charset === '') return writeBody;
  // Before there is a file: a charset that is not known would leave it open.
  const text = toUtf8(charset);
  return async (body, file, maxBytes) => {
    await Promise.all([pipeline(text, file), writeBody(body, text, maxBytes)]);
  };
}

async function remove(ctx: Context, deps: HandlerDeps): Promise<void> {
  requireAnalyst(deps);
  const existed = await deps.pointSets.remove(legalId(ctx));
  if (!existed) throw new HttpError(404, 'Invalid PointSet ID.');
  respondText(ctx, 200, 'removed\n');
}

function legalId(ctx: Context): string {
  const id = String(ctx.params.pointSetId);
  if (!PointSetDirectory.isLegalId(id))
    throw new HttpError(
      400,
      'illegal point set id: at most 128 letters, digits, spaces, _, - and dots are allowed, without a space or a dot first\n',
    );
  return id;
}
