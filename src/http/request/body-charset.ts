/** Texts of requests in the charset that the request names. */

import { Transform } from 'node:stream';
import type { TextDecoder } from 'node:util';
import { charsetOf, strictDecoder } from '../../charset.js';
import { HttpError } from '../../http-error.js';

/**
 * The text of a body, for which the request may name a charset. Bytes that are not in the charset are refused: other
 * characters in their place would be kept and shown.
 * @throws HttpError 400, or 415 for a charset that is not known.
 */
export function decoded(bytes: Uint8Array, named: string): string {
  return refusing(decoderOf(charsetOf(bytes, named)), (decoder) => decoder.decode(bytes));
}

/** Converts a body to UTF-8 while it is being read; fails as `decoded` does. */
export function toUtf8(named: string): Transform {
  decoderOf(named);
  let decoder: TextDecoder | undefined;
  const decode = (done: (error: Error | null, text?: string) => void, bytes?: Uint8Array) => {
    try {
      decoder ??= decoderOf(charsetOf(bytes ?? new Uint8Array(), named));
      done(
        null,
        refusing(decoder, (known) => known.decode(bytes, { stream: bytes !== undefined })),
      );
    } catch (error) {
      done(error as Error);
    }
  };
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => decode(done, chunk),
    flush: (done) => decode(done),
  });
}

function refusing<T>(decoder: TextDecoder, decode: (decoder: TextDecoder) => T): T {
  try {
    return decode(decoder);
  } catch {
    throw new HttpError(400, `the body is not in ${decoder.encoding.toUpperCase()}\n`);
  }
}

function decoderOf(charset: string): TextDecoder {
  try {
    return strictDecoder(charset);
  } catch {
    throw new HttpError(415, `the charset ${charset.slice(0, 40)} is not known\n`);
  }
}
