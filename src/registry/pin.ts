/**
 * Copies of graph files that no other program writes to. Overwriting or truncating a mapped file in place ends every
 * process that reads it, and no check at the time of opening can prevent that.
 */

import { constants, copyFile, link, realpath, stat, utimes } from 'node:fs/promises';
import type { Spool } from './spool.js';

/** Gives the present bytes of a file a name that no other program writes to, and returns it. */
export type Pin = (file: string) => Promise<string>;

/** Errors after which the file itself is opened, because no copy can be made. */
const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT']);

/** Called with a file that is opened without a copy, and the error that prevented the copy. */
export type UncopiedListener = (file: string, error: unknown) => void;

/**
 * Copies files to the spool; file systems that can share blocks between files copy nothing. `onUncopied` is called for
 * a file that is opened without a copy, although somebody could write to it.
 */
export function pinsIn(spool: Spool, onUncopied: UncopiedListener): Pin {
  return async (file) => {
    const target = await realpath(file);
    try {
      const pinned = await spool.reserve('.obj');
      const { mtimeMs } = await stat(target);
      await copyFile(target, pinned, constants.COPYFILE_FICLONE);
      // Clients see the time of the original file as the build time. Half a millisecond makes up for the rounding.
      const seconds = (Math.floor(mtimeMs) + 0.5) / 1000;
      await utimes(pinned, seconds, seconds);
      return pinned;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!UNWRITABLE.has(code)) throw error;
      if (code !== 'EROFS') onUncopied(file, error);
      return file;
    }
  };
}

/** Second names of mirrored graphs: those are replaced by renaming and never written to, so a copy is not needed. */
export function linksIn(spool: Spool): Pin {
  return async (file) => {
    const pinned = await spool.reserve('.obj');
    await link(file, pinned);
    return pinned;
  };
}
