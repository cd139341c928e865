/**
 * GET /routers/{routerId}/profile and /rrtr. Options over a time window aren't searched yet: both say so, after the
 * checks of their parameters.
 */

import type { Context } from 'koa';
import type { AppDeps } from '../server/deps.js';
import { HttpError } from './errors.js';
import { Query } from './params/query.js';
import type { Route } from './route.js';

/** The rows of the route table. */
export const profileRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/profile',
    handler: profile,
    summary: 'Options between two places over a time window (not available yet: 501)',
    tag: 'Analysis',
    produces: ['application/json'],
    query: [
      { name: 'from', schema: { type: 'string' }, description: '`lat,lon`', required: true },
      { name: 'to', schema: { type: 'string' }, description: '`lat,lon`' },
      { name: 'date', schema: { type: 'string' }, description: '`YYYY-MM-DD` or `today`' },
    ],
  },
  {
    method: 'GET',
    path: '/routers/:routerId/rrtr',
    handler: repeatedRaptor,
    summary: 'Comparison of repeated searches (not available: 501)',
    tag: 'Analysis',
  },
];

const PLACE = /^\s*-?\d+(\.\d+)?\s*,\s*-?\d+(\.\d+)?\s*$/;
const DATE = /^(today|\d{4}-\d{2}-\d{2})$/;

async function profile(ctx: Context, { registry }: AppDeps): Promise<void> {
  await registry.use(ctx.params.routerId, () => {});
  const query = new Query(ctx.querystring);
  check(query, 'from', PLACE, true);
  check(query, 'to', PLACE, false);
  check(query, 'date', DATE, false);
  throw new HttpError(501, 'profile is not available in this version; use plan for trips and surfaces for reach\n');
}

function check(query: Query, name: string, form: RegExp, required: boolean): void {
  const text = query.text(name);
  if (text === undefined && !required) return;
  if (text === undefined) throw new HttpError(400, `${name}: is required\n`);
  if (!form.test(text)) throw new HttpError(400, `Error parsing parameter: ${text.slice(0, 60)}\n`);
}

async function repeatedRaptor(ctx: Context, { registry }: AppDeps): Promise<void> {
  await registry.use(ctx.params.routerId, () => {});
  throw new HttpError(501, 'rrtr, a debugging aid of the reference, is not available; compare two surfaces instead\n');
}
