/** Data from outside; each reader checks the members that it reads. */
// biome-ignore lint/suspicious/noExplicitAny: its form is not known
export type Json = any;

/** The value of a JSON text; undefined for any other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
