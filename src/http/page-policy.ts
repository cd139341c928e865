/** What browsers allow on the pages of the server. */

import type { Context } from 'koa';

/** Pages load everything from this server. Images may also be made in the page. */
const PAGE_POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "style-src 'self' 'unsafe-inline'",
  "worker-src 'self'",
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
