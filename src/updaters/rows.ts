/** Lists in documents of others. */

import type { Json } from '../json.js';

/**
 * The objects of a list. Throws when there is no list, for example because the source sent an error message instead.
 */
export function rowsOf(value: unknown, what: string): Json[] {
  if (!Array.isArray(value)) throw new Error(`no list of ${what}`);
  return value.filter((row) => typeof row === 'object' && row !== null);
}
