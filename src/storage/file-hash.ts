/** Hashes of files. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Hexadecimal SHA-256 of a file's bytes. */
export async function fileSha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) hash.update(chunk);
  return hash.digest('hex');
}
