/** Lists in documents of others. */

// biome-ignore lint/suspicious/noExplicitAny: data from outside; each reader checks the members that it reads
type Json = any;

/**
 * The objects of a list. Throws when there is no list, for example because the source sent an error message instead.
 */
export function rowsOf(value: unknown, what: string): Json[] {
  if (!Array.isArray(value)) throw new Error(`no list of ${what}`);
  return value.filter((row) => typeof row === 'object' && row !== null);
}
