/** Unpacks a flat zip of build inputs, and protects the disk from zips that are too large or name other places. */

import path from 'node:path';
import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Entry, ZipFile } from 'yauzl';
import { HttpError, storageError } from '../http-error.js';
import { quoted } from '../quoted.js';
import { makeDirectory } from '../storage/directory.js';
import { openFileStream } from '../storage/file-stream.js';
import { withZipFile } from '../zip-file.js';

/** Bounds on what is unpacked. */
interface UnpackLimits {
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** Largest factor by which a file may grow when unpacked, beyond its first megabyte. */
  readonly maxRatio: number;
}

/** Ordinary inputs shrink to a twentieth at best, because GTFS tables are in zips of their own. */
export const UNPACK_RATIO = 200;

const DIRECTORIES = 'ZIP files containing directories are not supported';

/**
 * Writes the files of `zip` into `directory`, which is made. Throws an `HttpError` 400 for a damaged zip, a directory
 * or path in it, a link, or an encrypted or repeated file; 413 when a limit is exceeded.
 */
export async function unpackFlatZip(zip: string, directory: string, limits: UnpackLimits): Promise<string[]> {
  await makeDirectory(directory);
  const unpack = (archive: ZipFile) => unpackEntries(archive, directory, limits);
  return await withZipFile(zip, unpack, { strictFileNames: true }).catch((error: Error) => {
    throw error instanceof HttpError || storageError(error) ? error : damaged(error);
  });
}

async function unpackEntries(archive: ZipFile, directory: string, limits: UnpackLimits): Promise<string[]> {
  const names = new Set<string>();
  let left = limits.maxBytes;
  for await (const entry of archive.eachEntry()) {
    const name = checkedName(entry, names);
    if (names.size > limits.maxFiles) throw new HttpError(413, `more than ${limits.maxFiles} files in the zip\n`);
    left -= await unpackEntry(archive, entry, path.join(directory, name), left, limits.maxRatio);
  }
  return [...names];
}

function checkedName(entry: Entry, names: Set<string>): string {
  const name = entry.fileName;
  if (/[\\/]/.test(name)) throw new HttpError(400, `${DIRECTORIES}\n`);
  const fileType = (entry.externalFileAttributes >>> 16) & 0o170000;
  const ordinary = fileType === 0 || fileType === 0o100000;
  const encrypted = (entry.generalPurposeBitFlag & 1) !== 0;
  if (!ordinary || encrypted || name === '' || name.startsWith('.') || name.includes('\0') || name.length > 255) {
    throw new HttpError(400, `Could not extract zip file: unacceptable entry ${quoted(name)}\n`);
  }
  if (names.has(name)) throw new HttpError(400, `Could not extract zip file: ${quoted(name)} is in it twice\n`);
  names.add(name);
  return name;
}

/**
 * Resolves with the number of bytes written. They are counted, because the zip's own directory may state a wrong
 * number.
 */
async function unpackEntry(
  archive: ZipFile,
  entry: Entry,
  file: string,
  maxBytes: number,
  maxRatio: number,
): Promise<number> {
  const compressed = Math.max(entry.compressedSize, 1);
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      const bomb = bytes > 1024 ** 2 && bytes / compressed > maxRatio;
      if (bytes > maxBytes || bomb) done(new HttpError(413, 'the zip unpacks to more than is allowed\n'));
      else done(null, chunk);
    },
  });
  let output: Writable | undefined;
  try {
    // The file is opened first: if a source is open but not being read, nothing would handle its errors.
    output = await openFileStream(file);
    await pipeline(await archive.openReadStreamPromise(entry), counted, output);
  } catch (error) {
    output?.destroy();
    throw error;
  }
  return bytes;
}

function damaged(error: Error): HttpError {
  // yauzl reports a path that leaves the directory; it is refused like any other path.
  if (/relative path|absolute path|invalid characters in fileName/.test(error.message)) {
    return new HttpError(400, `${DIRECTORIES}\n`);
  }
  return new HttpError(400, `Could not extract zip file: ${error.message}\n`);
}
