/** Values that others sent, as messages show them. */

/** Most characters of a value that a message shows. */
const MOST = 80;

/** A value as JSON; of a long one, only the beginning. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MOST + 2 ? `${text.slice(0, MOST + 1)}…${text.at(-1)}` : text;
}
