/** Times as the interface writes them, in milliseconds; the addon counts seconds. */

/** Whole milliseconds of a time in seconds. */
export function milliseconds(seconds: number): number;
export function milliseconds(seconds: number | undefined): number | undefined;
export function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}
