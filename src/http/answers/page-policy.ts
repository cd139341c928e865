/** The content that browsers may load on the pages of the server. */

import type { Context } from 'koa';

/**
 * Pages load everything from this server, and images and data from the given origins too. Images may also be made in
 * the page.
 */
function pagePolicy(origins: readonly string[]): string {
  const others = origins.map((origin) => ` ${origin}`).join('');
  return [
    "default-src 'self'",
    `img-src 'self' data: blob:${others}`,
    "style-src 'self' 'unsafe-inline'",
    "worker-src 'self'",
    `connect-src 'self'${others}`,
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}

/**
 * Marks the answer as a page, or a file of one. The content type alone cannot tell, because a 304 answer has none, and
 * yet its headers replace those that the browser has cached.
 */
export function allowPage(ctx: Context, origins: readonly string[] = []): void {
  ctx.set('Content-Security-Policy', pagePolicy(origins));
}
