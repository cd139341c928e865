/** The command line as a shell sees it. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The file that `trestle` runs. */
export const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** Runs a command with an input until it ends; its exit code and what it wrote. */
export function trestle(args: readonly string[], input = ''): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
    child.stdin?.end(input);
  });
}
