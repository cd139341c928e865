/** What browsers allow the pages that come with the server. */

import type { Context } from 'koa';

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

/**
 * Says that the answer is a page, or a file of one. Whoever answers says so: the content type does not tell, as the
 * answer that a page is unchanged (304) has none, and its headers replace those that the browser kept.
 */
export function allowPage(ctx: Context): void {
  ctx.set('Content-Security-Policy', PAGE_POLICY);
}
