/** Second names for graph files, so that several processes serve the same bytes whatever becomes of the first name. */

import { constants, copyFile, link, realpath } from 'node:fs/promises';
import type { Spool } from './spool.js';

/** Gives the present bytes of a file a name that nothing replaces, and returns it. */
export type Pin = (file: string) => Promise<string>;

/** File systems and systems that cannot link here; a copy does as well. */
const NO_LINKS = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']);
/** Nothing can be written beside the graphs, so nothing replaces them either, at least not by way of this server. */
const UNWRITABLE = new Set(['EROFS', 'EACCES', 'ENOSPC', 'EDQUOT']);

/** Pins files in the spool: by a link, or by a copy where links cannot be made. */
export function pinsIn(spool: Spool): Pin {
  return async (file) => {
    const target = await realpath(file);
    try {
      const pinned = await spool.reserve('.obj');
      await link(target, pinned).catch(async (error: NodeJS.ErrnoException) => {
        if (!NO_LINKS.has(error.code ?? '')) throw error;
        await copyFile(target, pinned, constants.COPYFILE_FICLONE);
      });
      return pinned;
    } catch (error) {
      if (UNWRITABLE.has((error as NodeJS.ErrnoException).code ?? '')) return file;
      throw error;
    }
  };
}
