import { rename } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** What Windows says of a file that is open. */
const OPEN = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** The last pause before it gives up, milliseconds; the pauses together are almost twice as long. */
const LONGEST_PAUSE_MS = 640;

/**
 * Gives a file its name; a file that has this name is replaced. Windows refuses that while another program, such as a
 * virus scanner or a request that reads the file, has it open, so there it is tried again. Tests give other values.
 */
export async function renameOver(
  from: string,
  to: string,
  { attempt = rename, onWindows = process.platform === 'win32' } = {},
): Promise<void> {
  for (let pause = 10; ; pause *= 2) {
    try {
      return await attempt(from, to);
    } catch (error) {
      const isOpen = onWindows && OPEN.has((error as NodeJS.ErrnoException).code ?? '');
      if (!isOpen || pause > LONGEST_PAUSE_MS) throw error;
    }
    await setTimeout(pause);
  }
}
