/** Directories that are made where they are missing, and whether a place is missing. */

import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a directory and those above it, unless they exist. The runtime's own function reports ENOENT on a read-only file
 * system, which would not tell anybody what to do.
 */
export async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && (await isMissing(path.dirname(directory)))) {
      await makeDirectory(path.dirname(directory));
      await makeDirectory(directory);
    } else if (!(await isDirectory(directory))) {
      throw error;
    }
  }
}

async function isDirectory(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

/** Whether nothing is at a place. A broken link counts as nothing, and so does one that leads to itself. */
export async function isMissing(place: string): Promise<boolean> {
  const isNothing = ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ELOOP';
  return stat(place).then(() => false, isNothing);
}
