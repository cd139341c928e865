/** A share of requests per client: 429 beyond it. */

import type { Middleware } from 'koa';
import { HttpError } from '../../http-error.js';
import type { Origin } from '../client-address.js';
import { RateLimiter } from '../rate-limit.js';

/** `perMinute` 0 lets everything through. */
export function rate(perMinute: number): Middleware {
  const limiter = new RateLimiter(perMinute);
  return (ctx, next) => {
    const wait = limiter.take((ctx.state.origin as Origin).client);
    if (wait > 0) throw new HttpError(429, 'too many requests\n', { 'Retry-After': String(wait) });
    return next();
  };
}
