/** Hashes of files. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Hexadecimal SHA-256 of a file's bytes. */
export async function fileSha256(file: string): Promise<string> {
  return (await digestOfFile(file)).sha256;
}

/** Number of a file's bytes, and their hexadecimal SHA-256. */
export async function digestOfFile(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
