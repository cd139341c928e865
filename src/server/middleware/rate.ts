/** A share of requests per client: 429 beyond it. */

import type { Middleware } from 'koa';
import { HttpError } from '../../http-error.js';
import type { Origin } from '../client-address.js';

export interface ClientShares {
  /** Takes one request from a client's share; returns 0, or the seconds until the next one is allowed. */
  take(client: string): number | Promise<number>;
}

/** Without shares, no request is refused. */
export function rate(shares: ClientShares | undefined): Middleware {
  if (shares === undefined) return (_, next) => next();
  return async (ctx, next) => {
    const wait = await shares.take((ctx.state.origin as Origin).client);
    if (wait > 0) throw new HttpError(429, 'too many requests\n', { 'Retry-After': String(wait) });
    return next();
  };
}
