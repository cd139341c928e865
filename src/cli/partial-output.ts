/** What happens when the output of a command cannot be written. */

import { EXIT, messageOf } from './failure.js';

/** Whether the command ends when its result is written, so that its exit code says whether the result is complete. */
let endsWithResult = true;

/** For commands that continue after they have written something. Its loss is reported, and changes no exit code. */
export function goOnWithoutOutput(): void {
  endsWithResult = false;
}

/**
 * Lets the work continue when the output cannot be written, because what it makes is often in files. A result that is
 * lost on standard output is an error of the command, unless its reader has stopped reading, as `head` does. Messages
 * and progress on standard error may be lost.
 */
export function toleratePartialOutput(): void {
  let isReported = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isReported) return;
    isReported = true;
    if (endsWithResult) process.exitCode = EXIT.failed;
    console.error(`trestle: the output is not complete: ${messageOf(error)}`);
  });
  process.stderr.on('error', () => {});
}
