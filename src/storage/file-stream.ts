/** Streams into files that are there before the first byte is. */

import type { WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * A stream into a file; the stream closes it. A stream made by its path alone opens the file later, in another thread:
 * when its source fails at once, the file appears after it should have been removed. `wx` refuses a file that exists.
 */
export async function openFileStream(file: string, flags: 'w' | 'wx' = 'wx'): Promise<WriteStream> {
  return (await open(file, flags)).createWriteStream();
}
