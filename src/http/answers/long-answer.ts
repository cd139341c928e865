/** Answers of any length, sent while they are made. */

import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Context } from 'koa';

/** Bytes that are held back, because the answer may still turn out to be an error. */
const HELD = 1 << 20;
/** Bytes that may wait for a slow client before the answer pauses. */
const AHEAD = 1 << 20;

/** The beginning of an answer, and the rest if there is more. */
export interface BegunAnswer {
  readonly held: Buffer;
  readonly rest?: AsyncGenerator<Buffer>;
}

/** Makes the part of an answer that is held back. */
export async function begin(slices: AsyncGenerator<Buffer>): Promise<BegunAnswer> {
  const all: Buffer[] = [];
  for (let bytes = 0; bytes < HELD; ) {
    const { value, done } = await slices.next();
    if (done) return { held: Buffer.concat(all) };
    all.push(value);
    bytes += value.length;
  }
  return { held: Buffer.concat(all), rest: slices };
}

/** How a handler sends an answer that it has begun. Resolves when it is sent, or the client has left. */
export type Send = (answer: BegunAnswer) => Promise<void>;

/**
 * Runs `work`, which sends its answer itself and holds its resources until the whole answer is sent. Resolves when the
 * answer is ready to be sent; the application sends nothing before that.
 */
export function sendingItself(ctx: Context, work: (send: Send) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const send: Send = async ({ held, rest }) => {
      if (rest === undefined) {
        ctx.body = held;
        return;
      }
      const stream = Readable.from(joined(held, rest), { objectMode: false, highWaterMark: AHEAD });
      ctx.body = stream;
      resolve();
      // What was sent cannot be taken back. Cutting the connection shows that the answer is incomplete.
      await finished(stream).catch(() => ctx.res.destroy());
    };
    work(send).then(resolve, reject);
  });
}

async function* joined(held: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield held;
  yield* rest;
}
