/**
 * Copies of graph files, which nobody else writes to. A mapped file that somebody overwrites or cuts off in place ends every
 * process that reads it, and no check at the time of opening can prevent that.
 */

import { constants, copyFile, realpath, stat, utimes } from 'node:fs/promises';
import type { Spool } from './spool.js';

/** Copies the present bytes of a file to a name that nothing else writes to, and returns it. */
export type Pin = (file: string) => Promise<string>;

/** No copy can be made: the file itself is opened then. */
const UNWRITABLE = new Set(['EROFS', 'EACCES', 'ENOSPC', 'EDQUOT']);

/** Copies files to the spool; file systems that can share blocks between files copy nothing. */
export function pinsIn(spool: Spool): Pin {
  return async (file) => {
    const target = await realpath(file);
    try {
      const pinned = await spool.reserve('.obj');
      const { mtimeMs } = await stat(target);
      await copyFile(target, pinned, constants.COPYFILE_FICLONE);
      // The build time that clients see is that of the file. Half a millisecond outlives the rounding.
      const seconds = (Math.floor(mtimeMs) + 0.5) / 1000;
      await utimes(pinned, seconds, seconds);
      return pinned;
    } catch (error) {
      if (UNWRITABLE.has((error as NodeJS.ErrnoException).code ?? '')) return file;
      throw error;
    }
  };
}
