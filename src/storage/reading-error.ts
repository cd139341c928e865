import { access, constants, stat } from 'node:fs/promises';

/** Why the files of a directory cannot be listed or opened; undefined if they can, or if there is no such directory. */
export async function readingError(directory: string): Promise<Error | undefined> {
  try {
    if (!(await stat(directory)).isDirectory()) return undefined;
    await access(directory, constants.R_OK | constants.X_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return error as Error;
  }
  return undefined;
}
