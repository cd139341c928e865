/** Large bodies on their way into files. */

import { type Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HttpError } from '../http-error.js';

/**
 * Writes a body to `output`. The body itself is never destroyed: that would cut the connection before the client has
 * its answer.
 * @throws HttpError 413 when it is longer than `maxBytes`, 400 when the client stops before the end.
 */
export async function writeBody(body: Readable, output: Writable, maxBytes: number): Promise<void> {
  const limited = limitBytes(maxBytes);
  const early = () => {
    if (!body.readableEnded) limited.destroy(new HttpError(400, 'the upload ended early\n'));
  };
  body.once('close', early);
  try {
    const written = pipeline(limited, output);
    if (body.destroyed) early();
    else body.pipe(limited);
    await written;
  } finally {
    body.off('close', early);
    body.unpipe(limited);
    body.resume();
  }
}

function limitBytes(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
}

/** Refuses a body of more than `maxBytes`; the connection ends once it has been read, if it is not much longer. */
export function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, `the body is larger than ${maxBytes} bytes\n`, { Connection: 'close' });
}
