/** The text of files of point sets, which are in UTF-8, or in UTF-16 with a byte order mark. */

import type { Readable } from 'node:stream';
import type { TextDecoder } from 'node:util';
import { markedCharset, strictDecoder } from '../charset.js';
import { PointSetError } from './point-set.js';

/** The text of a file. Throws `PointSetError` where it is in another encoding: its letters would be lost. */
export function pointSetText(bytes: Uint8Array): string {
  return read(decoderOf(bytes), bytes);
}

/** The text of a file in parts. */
export async function* pointSetTexts(input: Readable): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    decoder ??= decoderOf(bytes);
    yield read(decoder, bytes, true);
  }
  if (decoder) yield read(decoder);
}

function decoderOf(start: Uint8Array): TextDecoder {
  return strictDecoder(markedCharset(start) ?? 'utf-8');
}

function read(decoder: TextDecoder, bytes?: Uint8Array, stream = false): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new PointSetError('the file is not in UTF-8');
  }
}
