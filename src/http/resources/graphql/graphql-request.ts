/** Reads a GraphQL request: from the query string, from a JSON body, or from a body that is the query itself. */

import type { RequestParams } from 'graphql-http';
import type { Context } from 'koa';
import { HttpError } from '../../../http-error.js';
import { readText } from '../../request/small-body.js';

/** Largest body, bytes. */
const MOST_BYTES = 1_000_000;

/** Body of a request whose parameters cannot be understood; clients of the interface know it. */
const UNUSABLE = 'FOUR HUNDRED';

/** Reads a request. Throws 400 for an invalid request, 413 for one that is too large. */
export async function graphqlRequest(ctx: Context): Promise<RequestParams> {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') {
    return checked(Object.fromEntries(new URLSearchParams(ctx.querystring)));
  }
  const body = await readText(ctx, MOST_BYTES);
  return ctx.is('application/graphql') ? { query: body } : checked(json(body, 'the body is not JSON\n'));
}

function checked(sent: unknown): RequestParams {
  if (!isObject(sent)) throw new HttpError(400, 'the body is not an object\n');
  const { query, operationName } = sent;
  if (typeof query !== 'string') throw new HttpError(400, 'query is missing or not a text\n');
  if (typeof operationName !== 'string' || operationName === '') return { query, variables: variables(sent.variables) };
  return { query, operationName, variables: variables(sent.variables) };
}

/** An object, or the JSON text of one. */
function variables(sent: unknown): Record<string, unknown> | undefined {
  const value = typeof sent === 'string' && sent !== '' ? json(sent, UNUSABLE) : sent;
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function json(text: string, complaint: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, complaint);
  }
}
