/** What browsers may do with the answers. */

import type { Middleware } from 'koa';
import type { Origin } from '../client-address.js';

const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** Pages bring their own scripts and styles and show map tiles from anywhere. */
const PAGE_POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob: https: http:",
  "style-src 'self' 'unsafe-inline'",
  "worker-src 'self' blob:",
  "connect-src 'self' https:",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

/** Adds the headers unless a handler set its own. */
export function securityHeaders(): Middleware {
  return async (ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Referrer-Policy', 'no-referrer');
    if ((ctx.state.origin as Origin | undefined)?.https) ctx.set('Strict-Transport-Security', 'max-age=31536000');
    await next();
    if (ctx.response.get('Content-Security-Policy')) return;
    const isPage = String(ctx.response.get('Content-Type')).startsWith('text/html');
    ctx.set('Content-Security-Policy', isPage ? PAGE_POLICY : DATA_POLICY);
  };
}
