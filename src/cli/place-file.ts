/** The files of places that commands search from and to. */

import { PointSetError } from '../analysis/point-set.js';
import { CommandFailure, EXIT } from './failure.js';

/** Reads a file with `read`. A file that cannot be read ends the command with a message that names it. */
export async function readPlaceFile<T>(file: string, read: (file: string) => Promise<T>): Promise<T> {
  try {
    return await read(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof PointSetError) throw new CommandFailure(`${file}: ${message}`, EXIT.usage);
    if (code !== undefined) throw new CommandFailure(`${file} cannot be read: ${message}`, EXIT.usage);
    throw error;
  }
}
