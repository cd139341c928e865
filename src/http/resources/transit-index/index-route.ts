/** The rows, answers and errors that all resources of the index share. */

import type { Context } from 'koa';
import { HttpError } from '../../../http-error.js';
import type { Graph } from '../../../native/types.js';
import { slicedJson } from '../../../serialization/sliced-json.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { type ParameterSchema, parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
import { withSnapshots } from '../../request/snapshots.js';
import type { Route } from '../../route.js';
import type { WrittenList } from './list-cache.js';

/**
 * A look-up from a snapshot of the graph and the request's parameters and query. Texts are sent unchanged, other values
 * as JSON; generators are lists whose elements are made while they are written.
 */
export type IndexLookUp = (graph: Graph, request: IndexRequest) => unknown;

/** The parts of a request that a look-up may read. */
export interface IndexRequest {
  /** Decoded path parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly queryString: string;
  /** The graph itself, not the snapshot: caches across requests belong to it. */
  readonly routerGraph: Graph;
}

/** How long clients may keep answers that only change with the graph. */
const FIXED = 'public, max-age=60';
/** The same for answers that depend on the clock or on live data. */
const MOVING = 'no-cache';

/** Accepted everywhere; only a few resources have a detailed form. */
export const EVERYWHERE = parameters({
  detail: parameter.boolean('Full objects where the resource has a short and a full form', { default: false }),
  refs: parameter.boolean('Accepted, without effect', { default: false }),
});

/** Options of a row. */
interface IndexRouteOptions {
  readonly query?: Readonly<Record<string, ParameterSchema>>;
  /** The answer depends on the clock or on live data. */
  readonly moving?: boolean;
}

/** A row of the route table: GET of `path` below a router's index. */
export function indexRoute(
  path: string,
  answer: NonNullable<Route['answer']>,
  summary: string,
  lookUp: IndexLookUp,
  options: IndexRouteOptions = {},
): Route {
  return {
    method: 'GET',
    path: `/routers/:routerId/index${path}`,
    summary,
    answer,
    jsonRefusals: 'unquoted text',
    tag: 'Transit index',
    query: { ...options.query, ...EVERYWHERE },
    handler: async (ctx, { registry }, query) => {
      const requested = { path: ctx.params, query, queryString: ctx.querystring };
      try {
        const answer = await registry.use(ctx.params.routerId, ({ graph }) =>
          withSnapshots(async (snapshotOf) =>
            written(await lookUp(snapshotOf(graph), { ...requested, routerGraph: graph })),
          ),
        );
        ctx.set('Cache-Control', options.moving ? MOVING : FIXED);
        ctx.state.untagged = options.moving;
        send(ctx, 200, answer);
      } catch (error) {
        if (!(error instanceof IndexError)) throw error;
        send(ctx, error.status, error.text);
      }
    },
  };
}

/** Lists of at least this many elements are written in slices. */
const LONG = 100;

function written(answer: unknown): WrittenList | string | Buffer | Promise<Buffer> {
  if (typeof answer === 'string' || Buffer.isBuffer(answer) || isWritten(answer)) return answer;
  if (Array.isArray(answer) && answer.length < LONG) return JSON.stringify(answer);
  return slicedJson(answer);
}

function send(ctx: Context, status: number, answer: WrittenList | string | Buffer): void {
  ctx.status = status;
  ctx.set('Content-Type', 'application/json');
  if (isWritten(answer)) sendList(ctx, answer);
  else ctx.body = answer;
}

/** Sends the bytes that were compressed in advance, if the client accepts them. */
function sendList(ctx: Context, { bytes, gzip, etag }: WrittenList): void {
  const takesGzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  ctx.vary('Accept-Encoding');
  if (takesGzip) ctx.set('Content-Encoding', 'gzip');
  ctx.etag = etag;
  ctx.body = takesGzip ? gzip : bytes;
}

function isWritten(answer: unknown): answer is WrittenList {
  return typeof answer === 'object' && answer !== null && 'etag' in answer && 'bytes' in answer;
}

/** A plain text labelled as JSON; clients of the interface compare it. */
export class IndexError extends HttpError {}

/** The entity does not exist. */
export class EntityNotFound extends IndexError {
  constructor() {
    super(404, 'FOUR ZERO FOUR');
  }
}

/** Parameters that are malformed or cannot be used together. */
export class UnusableParameters extends IndexError {
  constructor() {
    super(400, 'FOUR HUNDRED');
  }
}

/** Reads parameters. Throws `UnusableParameters` for malformed ones. */
export function usable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof BadParameter ? new UnusableParameters() : error;
  }
}
