import type { Context } from 'koa';
import { HttpError } from './errors.js';

/** The body of a request as text; 413 as soon as it is longer than `maxBytes`. */
export async function readText(ctx: Context, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of ctx.req) {
    total += chunk.length;
    if (total > maxBytes)
      throw new HttpError(413, `the body is larger than ${maxBytes} bytes\n`, { Connection: 'close' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
