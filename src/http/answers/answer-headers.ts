/** The answer headers that mean something to clients. The description of the interface lists them. */

import type { Context } from 'koa';

const TEXT = { type: 'string' } as const;
const LIST_OF_NUMBERS = (count: number) => ({ type: 'string', pattern: `^[-\\d.e+]+(,[-\\d.e+]+){${count - 1}}$` });

/** Each header with its description and the schema of its value. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'The id of the request in the log: the one that the client sent, if it may be logged',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
  ETag: {
    description: 'Identifies this content, for `If-None-Match`; absent where the content depends on the time',
    schema: { type: 'string', pattern: '^(W/)?".*"$' },
  },
  'Cache-Control': { description: 'How long a copy may be used; unspecified when absent', schema: TEXT },
  'Content-Disposition': { description: 'A name for the file', schema: TEXT },
  'Retry-After': {
    description: 'Seconds after which it is worth trying again',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { description: 'How to log in', required: true, schema: TEXT },
  'Trestle-Hosts': {
    description:
      'With several hosts, the outcome of the change on each of them: `"host"="outcome"`, separated by commas',
    schema: { type: 'string', pattern: '^"[^"]*"="[^"]*"(, "[^"]*"="[^"]*")*$' },
  },
  'Raster-Bounds': {
    description: 'West, south, east and north edge of the pixels, in units of `crs`',
    required: true,
    schema: LIST_OF_NUMBERS(4),
  },
  'OTPA-Grid-Corner': {
    description: 'Latitude and longitude of the south-west node, degrees',
    required: true,
    schema: LIST_OF_NUMBERS(2),
  },
  'OTPA-Grid-Cell-Size': {
    description: 'Height and width of a cell, degrees',
    required: true,
    schema: LIST_OF_NUMBERS(2),
  },
  'OTPA-OffRoad-Dist': {
    description: 'Farthest distance from a street, metres',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
} as const satisfies Record<string, { description: string; required?: true; schema: object }>;

export type HeaderName = keyof typeof HEADERS;

/** The headers of every answer, and those of every good answer. */
export const HEADERS_OF_ALL_ANSWERS: readonly HeaderName[] = ['X-Request-Id', 'Cache-Control'];
export const HEADERS_OF_GOOD_ANSWERS: readonly HeaderName[] = [...HEADERS_OF_ALL_ANSWERS, 'ETag'];

/** Sets headers of the answer and lets pages of other origins read them. The route has to list these headers. */
export function setHeaders(ctx: Context, values: Partial<Record<HeaderName, string>>): void {
  ctx.set(values as Record<string, string>);
  ctx.set('Access-Control-Expose-Headers', Object.keys(values).join(', '));
}
