/** What a GraphQL request asks: from the query string, a JSON body, or a body that is the query. */

import type { Context } from 'koa';
import { HttpError } from './errors.js';

/** A query with its variables. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName?: string;
  readonly variables?: Record<string, unknown>;
}

/** Largest body, bytes. */
const MOST_BYTES = 1_000_000;

/** Body of a request whose parameters cannot be understood; clients of the interface know it. */
const UNUSABLE = 'FOUR HUNDRED';

/** Reads a request. Throws 400 for what is not one, 413 for one that is too large. */
export async function graphqlRequest(ctx: Context): Promise<GraphqlRequest> {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') {
    return checked(Object.fromEntries(new URLSearchParams(ctx.querystring)));
  }
  const body = await text(ctx);
  return ctx.is('application/graphql') ? { query: body } : checked(json(body, 'the body is not JSON\n'));
}

function checked(sent: unknown): GraphqlRequest {
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

async function text(ctx: Context): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  const declared = Number(ctx.get('Content-Length') || 0);
  if (declared > MOST_BYTES) throw tooLarge();
  for await (const part of ctx.req) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function tooLarge(): HttpError {
  return new HttpError(413, `the body is larger than ${MOST_BYTES} bytes\n`, { Connection: 'close' });
}
