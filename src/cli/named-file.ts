/** Files that arguments and settings name. */

import { readFile } from 'node:fs/promises';
import { CommandFailure, EXIT } from './failure.js';

/** Reads a file with `read`. If the system cannot read it, the command ends with a message that names it. */
export async function readNamed<T>(file: string, read: (file: string) => Promise<T>): Promise<T> {
  try {
    return await read(file);
  } catch (error) {
    throw withName(file, error);
  }
}

/** The error of the system with the name of the file, which its own message about a directory lacks; others as they are. */
export function withName(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? error : new CommandFailure(`${file} cannot be read: ${message}`, EXIT.usage);
}

export function readNamedText(file: string): Promise<string> {
  return readNamed(file, () => readFile(file, 'utf8'));
}

/** Writes to a file with `write`. If the system cannot do it, the command ends with a message that names the file. */
export async function writeNamed<T>(file: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new CommandFailure(`${file} cannot be written: ${message}`);
  }
}
