/** What happens when the output of a command cannot be written. */

import { EXIT, messageOf } from './failure.js';

/**
 * Lets the work go on when the output cannot be written, because what it makes is often in files. A result that is lost
 * on standard output is an error of the command, unless its reader has stopped reading, as `head` does. Messages and
 * progress on standard error may be lost.
 */
export function toleratePartialOutput(): void {
  let isReported = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isReported) return;
    isReported = true;
    process.exitCode = EXIT.failed;
    console.error(`trestle: the output is not complete: ${messageOf(error)}`);
  });
  process.stderr.on('error', () => {});
}
