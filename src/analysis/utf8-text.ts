/** The text of files of point sets, which are in UTF-8, or in UTF-16 with a byte order mark. */

import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { declaredCharset } from '../charset.js';
import { PointSetError } from './point-set.js';

/** The text of a file. Throws `PointSetError` where it is in another encoding: its letters would be lost. */
export function utf8Text(bytes: Uint8Array): string {
  return read(strictDecoder(bytes), bytes);
}

/** The texts of a file in parts. */
export async function* utf8Texts(input: Readable): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    decoder ??= strictDecoder(bytes);
    yield read(decoder, bytes, true);
  }
  if (decoder) yield read(decoder);
}

function strictDecoder(start: Uint8Array): TextDecoder {
  return new TextDecoder(declaredCharset(start), { fatal: true });
}

function read(decoder: TextDecoder, bytes?: Uint8Array, stream = false): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new PointSetError('the file is not in UTF-8');
  }
}
