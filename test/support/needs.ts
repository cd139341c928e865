/** Things that some tests need and not every machine has: data beside the repository, and programs. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Recordings, contracts and data of cities: beside the repository. Tests run from `dist/test`. */
export const SHARED = fileURLToPath(new URL('../../../../shared', import.meta.url));

/**
 * Whether something that tests need exists; without it they are skipped, with a message. Throws where the environment
 * has `CI=true`: there everything has to run.
 */
export function isThere(what: string, found: boolean): boolean {
  if (found) return true;
  if (process.env.CI === 'true') throw new Error(`${what} is missing; no test may be skipped where CI=true`);
  console.log(`skipped: ${what} is missing`);
  return false;
}

/** `isThere` for a file or directory below `SHARED`. */
export function hasShared(...parts: string[]): boolean {
  return isThere(path.join('../shared', ...parts), existsSync(path.join(SHARED, ...parts)));
}
