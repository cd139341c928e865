/** Writing answers. Content types carry no charset: everything is UTF-8. */

import type { Context } from 'koa';
import { slicedJson } from '../../serialization/sliced-json.js';
import { toXml } from '../../serialization/xml.js';

/** Sends `value` as JSON, or as XML with the root element `root` when that was negotiated for the route. */
export function respond(ctx: Context, root: string, value: unknown): void {
  const mediaType = String(ctx.state.mediaType ?? 'application/json');
  if (mediaType === 'application/json') return respondJson(ctx, value);
  ctx.set('Content-Type', mediaType);
  ctx.body = toXml(root, value);
}

/** Sends `value` as JSON. */
export function respondJson(ctx: Context, value: unknown): void {
  ctx.set('Content-Type', 'application/json');
  ctx.body = JSON.stringify(value);
}

/**
 * Sends a value that may be large as JSON. It is written in slices, so that other requests get their turn in between.
 */
export async function respondLargeJson(ctx: Context, value: unknown): Promise<void> {
  ctx.set('Content-Type', 'application/json');
  ctx.body = await slicedJson(value);
}

/**
 * Answers 404 with a text that is labelled as JSON but has no quotation marks, because clients of the interface compare
 * it as it is.
 */
export function refuseUnquoted(ctx: Context, text: string): void {
  ctx.status = 404;
  ctx.set('Content-Type', 'application/json');
  ctx.body = text;
}

/** Sends a plain text. */
export function respondText(ctx: Context, status: number, text: string): void {
  ctx.status = status;
  ctx.set('Content-Type', 'text/plain');
  ctx.body = text;
}

/** Sends the bytes of an image or archive. */
export function respondBytes(ctx: Context, mediaType: string, bytes: Uint8Array): void {
  ctx.set('Content-Type', mediaType);
  ctx.body = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
