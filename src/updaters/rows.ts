/** Lists in documents of others. */

import type { Json } from '../json.js';
import { nextTurn } from '../turns.js';

/** Rows that are read without a pause, which takes some milliseconds. */
const ROWS_PER_TURN = 2000;

/**
 * The objects of a list. Throws when there is no list, for example because the source sent an error message instead.
 */
export function rowsOf(value: unknown, what: string): Json[] {
  if (!Array.isArray(value)) throw new Error(`no list of ${what}`);
  return value.filter((row) => typeof row === 'object' && row !== null);
}

/** What `read` makes of each row, apart from undefined; in turns, so that other requests need not wait for all rows. */
export async function readInTurns<Row, T>(rows: readonly Row[], read: (row: Row) => T | undefined): Promise<T[]> {
  const found: T[] = [];
  for (const [i, row] of rows.entries()) {
    if (i > 0 && i % ROWS_PER_TURN === 0) await nextTurn();
    const value = read(row);
    if (value !== undefined) found.push(value);
  }
  return found;
}
