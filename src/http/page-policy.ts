/** What browsers allow on the pages of the server. */

import type { Context } from 'koa';

/** Pages load their own scripts and styles, and map tiles from anywhere. */
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
 * Marks the answer as a page, or a file of one. The content type would not tell this: the answer that a page is
 * unchanged (304) has none, but its headers replace those that the browser has cached.
 */
export function allowPage(ctx: Context): void {
  ctx.set('Content-Security-Policy', PAGE_POLICY);
}
