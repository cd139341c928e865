/** Compressed answers. */

import { buffer } from 'node:stream/consumers';
import { constants } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import compress from 'koa-compress';

/** Smaller answers are not compressed; at these levels compression costs about as much time as it saves in transfer. */
const COMPRESSION = {
  threshold: 2048,
  gzip: { level: 4 },
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  zstd: false,
} as compress.CompressOptions;

/** What answers can be sent as. */
const CODINGS = ['br', 'gzip', 'deflate', 'identity'];

/** Largest answer that is compressed as a whole, bytes before compression. */
const WHOLE = 1 << 20;

/**
 * Compresses answers for clients that accept it. An answer that is not large is sent as a whole with its length: when
 * the process is killed before that, no byte has been sent, so a proxy can ask another server. Large answers, and those
 * that are made while they are sent, are sent as they are compressed.
 */
export function compression(): Middleware {
  const compressed = compress(COMPRESSION) as Middleware;
  return async (ctx, next) => {
    let whole: unknown;
    await compressed(ctx, async () => {
      await next();
      // The compressor fails on a client that refuses every coding. Its answer is sent as it is, as small ones are.
      if (ctx.acceptsEncodings(...CODINGS) === false) ctx.compress = false;
      whole = isWhole(ctx) ? ctx.body : undefined;
    });
    // The compressor has replaced the body by its own stream.
    if (whole !== undefined && ctx.body !== whole) ctx.body = await buffer(ctx.body as NodeJS.ReadableStream);
  };
}

/** Whether the answer is complete, and not large. */
function isWhole({ body, response }: Context): boolean {
  return (typeof body === 'string' || Buffer.isBuffer(body)) && (response.length ?? 0) <= WHOLE;
}
