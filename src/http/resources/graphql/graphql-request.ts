/** Reads a GraphQL request: from the query string, from a JSON body, or from a body that is the query itself. */

import type { RequestParams } from 'graphql-http';
import type { Context } from 'koa';
import { HttpError } from '../../../http-error.js';
import { jsonOf } from '../../../json.js';
import { isObject, parseJson, parseJsonObject, readText } from '../../request/small-body.js';

/** Largest body, bytes. */
const MOST_BYTES = 1_000_000;

/** Queries of one batch. */
const MOST_QUERIES = 100;

/** Body of a request whose parameters cannot be understood; clients of the interface know it. */
const UNUSABLE = 'FOUR HUNDRED';

/** Reads a request. Throws 400 for an invalid request, 413 for one that is too large. */
export async function graphqlRequest(ctx: Context): Promise<RequestParams> {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') {
    return checked(Object.fromEntries(new URLSearchParams(ctx.querystring)));
  }
  const body = await readText(ctx, MOST_BYTES);
  return ctx.is('application/graphql') ? { query: body } : checked(parseJsonObject(body));
}

/** One query of a batch, with the id that its client gave it. */
export interface BatchedQuery {
  readonly id?: unknown;
  readonly params: RequestParams;
}

/** Reads a batch of queries. Throws 400 for an invalid one, 413 for one that is too large. */
export async function batchRequest(ctx: Context): Promise<readonly BatchedQuery[]> {
  const sent = parseJson(await readText(ctx, MOST_BYTES));
  if (!Array.isArray(sent)) throw new HttpError(400, 'the body is not a JSON list\n');
  if (sent.length > MOST_QUERIES) throw new HttpError(413, `at most ${MOST_QUERIES} queries may be sent together\n`);
  return sent.map((one: unknown) => {
    if (!isObject(one)) throw new HttpError(400, 'a query of the list is not a JSON object\n');
    return { id: one.id, params: checked(one) };
  });
}

function checked(sent: Record<string, unknown>): RequestParams {
  const { query, operationName } = sent;
  if (typeof query !== 'string') throw new HttpError(400, 'query is missing or not a text\n');
  if (typeof operationName !== 'string' || operationName === '') return { query, variables: variables(sent.variables) };
  return { query, operationName, variables: variables(sent.variables) };
}

/** An object, or the JSON text of one. */
function variables(sent: unknown): Record<string, unknown> | undefined {
  const value = typeof sent === 'string' && sent !== '' ? parsedVariables(sent) : sent;
  return isObject(value) ? value : undefined;
}

function parsedVariables(text: string): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw new HttpError(400, UNUSABLE);
  return value;
}
