import type { Context } from 'koa';
import { HttpError } from './errors.js';

/** The body of a request as text; 413 as soon as it is longer than `maxBytes`. */
export async function readText(ctx: Context, maxBytes: number): Promise<string> {
  return (await readBytes(ctx, maxBytes)).toString('utf8');
}

/** The body of a request; 413 as soon as it is longer than `maxBytes`. */
export async function readBytes(ctx: Context, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  // Destroying the request would cut the connection before the client has its answer.
  for await (const chunk of ctx.req.iterator({ destroyOnReturn: false })) {
    total += chunk.length;
    if (total > maxBytes)
      throw new HttpError(413, `the body is larger than ${maxBytes} bytes\n`, { Connection: 'close' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
