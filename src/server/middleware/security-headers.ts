/** What browsers may do with the answers. */

import type { Middleware } from 'koa';
import type { Origin } from '../client-address.js';

/** The policy for data, which browsers never show as pages. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Sets the headers of every answer; handlers of pages replace this policy by their own. */
export function securityHeaders(): Middleware {
  return (ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.set('Content-Security-Policy', DATA_POLICY);
    if ((ctx.state.origin as Origin | undefined)?.https) ctx.set('Strict-Transport-Security', 'max-age=31536000');
    return next();
  };
}
