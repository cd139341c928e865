import { rename } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { pauseAfter } from '../pauses.js';

/** What Windows says of a file that is open. */
const OPEN = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** The first and the longest pause, milliseconds; with all pauses between them it waits a little longer than a second. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 640;

/** Tries until it gives up. */
const TRIES = 8;

/**
 * Gives a file its name; a file that has this name is replaced. Windows refuses that while another program, such as a
 * virus scanner or a request that reads the file, has it open, so there it is tried again. Tests give other values.
 */
export async function renameOver(
  from: string,
  to: string,
  { attempt = rename, onWindows = process.platform === 'win32' } = {},
): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt(from, to);
    } catch (error) {
      const isOpen = onWindows && OPEN.has((error as NodeJS.ErrnoException).code ?? '');
      if (!isOpen || failures === TRIES) throw error;
    }
    await setTimeout(pauseAfter(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
  }
}
