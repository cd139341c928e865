/** Files that arguments and settings name. */

import { readFile } from 'node:fs/promises';
import { CommandFailure, EXIT } from './failure.js';

/**
 * Reads a file with `read`. If the system cannot read it, the command ends with a message that names it: the system's
 * own does not name a directory.
 */
export async function readNamed<T>(file: string, read: (file: string) => Promise<T>): Promise<T> {
  try {
    return await read(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new CommandFailure(`${file} cannot be read: ${message}`, EXIT.usage);
  }
}

/** The text of a file. */
export function readNamedText(file: string): Promise<string> {
  return readNamed(file, () => readFile(file, 'utf8'));
}
