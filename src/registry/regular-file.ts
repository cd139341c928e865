/** Files of a router's directory. A pipe or a device may be there too, but reading it would never end. */

import type { Stats } from 'node:fs';
import { constants, lstat, open, stat } from 'node:fs/promises';
import { isMissing } from '../storage/directory.js';
import { unlessMissing } from '../storage/unless-missing.js';

/** Longest configuration file, bytes. */
const MAX_TEXT_BYTES = 16 * 1024 ** 2;

/** A name in a router's directory that belongs to a pipe, a device or a directory. */
class NotAFileError extends Error {
  readonly code = 'NOT_A_FILE';
  constructor(file: string) {
    super(`${file} is not a regular file`);
  }
}

/**
 * The text of a file; undefined when there is none. Throws `NotAFileError`, or an error when it is too long or a link to
 * nothing, without which the defaults would be used unnoticed.
 */
export async function readTextIfPresent(file: string): Promise<string | undefined> {
  // Without O_NONBLOCK, opening a pipe would wait until something writes to it.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(unlessMissing);
  if (handle === undefined) {
    if (await leadsNowhere(file)) throw new Error(`${file} is a broken link`);
    return undefined;
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new NotAFileError(file);
    if (stats.size > MAX_TEXT_BYTES) throw new Error(`${file} is larger than ${MAX_TEXT_BYTES} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** The bytes from a position on; fewer than `length` where the file ends before that. */
export async function bytesAt(file: string, position: number, length: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** What is known of a file, directory, pipe or device; undefined where there is nothing, or a broken link. */
async function statsOf(place: string): Promise<Stats | undefined> {
  try {
    return await stat(place);
  } catch (error) {
    if (await isMissing(place)) return undefined;
    throw error;
  }
}

/** What is known of a regular file; undefined where there is something else, nothing, or a broken link. */
export async function regularFile(place: string): Promise<Stats | undefined> {
  const stats = await statsOf(place);
  return stats?.isFile() ? stats : undefined;
}

/** Throws `NotAFileError` when `file` exists but is not a regular file. */
export async function requireRegularFile(file: string): Promise<void> {
  const stats = await statsOf(file);
  if (stats !== undefined && !stats.isFile()) throw new NotAFileError(file);
}

/** Whether a broken link is at a place. */
export async function leadsNowhere(place: string): Promise<boolean> {
  const found = await lstat(place).catch(() => undefined);
  return found?.isSymbolicLink() === true && isMissing(place);
}
