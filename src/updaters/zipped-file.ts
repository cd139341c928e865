/** Reads one file out of a zip in memory. */

import { buffer } from 'node:stream/consumers';
import { zipOf } from '../zip-file.js';

/** Largest unpacked file. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The first file whose name ends in `suffix`. Throws when there is none, or when it is too large. */
export async function unpackOnly(bytes: Uint8Array, suffix: string): Promise<Uint8Array> {
  const zip = await zipOf(Buffer.from(bytes));
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.toLowerCase().endsWith(suffix)) continue;
    if (entry.uncompressedSize > MAX_BYTES) throw new Error(`${entry.fileName}: larger than ${MAX_BYTES} bytes`);
    return await buffer(await zip.openReadStreamPromise(entry));
  }
  throw new Error(`the zip has no file '*${suffix}'`);
}
