/** Texts of requests in the charset that the request names. */

import { Transform } from 'node:stream';
import { TextDecoder } from 'node:util';
import { HttpError } from '../../http-error.js';

/**
 * The text of a body. Bytes that are not in the charset are refused: other characters in their place would be kept and
 * shown.
 * @throws HttpError 400, or 415 for a charset that is not known.
 */
export function decoded(bytes: Uint8Array, charset: string): string {
  return refusing(decoderOf(charset), (decoder) => decoder.decode(bytes));
}

/** Turns a body in a charset into UTF-8 on its way; fails as `decoded` does. */
export function toUtf8(charset: string): Transform {
  const decoder = decoderOf(charset);
  const refuse = (done: (error: Error | null, text?: string) => void, bytes?: Uint8Array) => {
    try {
      done(
        null,
        refusing(decoder, () => decoder.decode(bytes, { stream: bytes !== undefined })),
      );
    } catch (error) {
      done(error as Error);
    }
  };
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => refuse(done, chunk),
    flush: (done) => refuse(done),
  });
}

function refusing<T>(decoder: TextDecoder, decode: (decoder: TextDecoder) => T): T {
  try {
    return decode(decoder);
  } catch {
    throw new HttpError(400, `the body is not ${decoder.encoding}\n`);
  }
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new HttpError(415, `the charset ${charset.slice(0, 40)} is not known\n`);
  }
}
