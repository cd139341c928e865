/** Streams into files that exist before the first byte is written, and out of files that are read later or never. */

import { createReadStream, type WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * A stream into a file, which it closes. A stream made from a path opens the file later, in another thread, so if its
 * source failed at once, the file would appear after it should have been removed. `wx` refuses an existing file.
 */
export async function openFileStream(file: string, flags: 'w' | 'wx' = 'wx'): Promise<WriteStream> {
  return (await open(file, flags)).createWriteStream();
}

/** The bytes of a file, which is open only while they are read. An unread stream would keep its file open. */
export async function* fileBytes(file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(file);
}
