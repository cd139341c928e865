/** The files of places that commands search from and to. */

import { PointSetError } from '../analysis/point-set.js';
import { CommandFailure, EXIT } from './failure.js';
import { readNamed } from './named-file.js';

/** Reads a file with `read`. A file that cannot be read ends the command with a message that names it. */
export function readPlaceFile<T>(file: string, read: (file: string) => Promise<T>): Promise<T> {
  return readNamed(file, read).catch((error: unknown) => {
    if (error instanceof PointSetError) throw new CommandFailure(`${file}: ${error.message}`, EXIT.usage);
    throw error;
  });
}
