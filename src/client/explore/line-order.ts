/** The order of lines in lists. */

import type { LineShort } from './index-answers.js';

/** Modes with many lines in a city come last, so that lines of the others are not left out. */
const LAST_MODES = ['COACH', 'BUS'];

/** The short name of a line: its number if it has one. */
export function lineName({ shortName, longName }: LineShort): string {
  return shortName || longName || '';
}

/** Lines by mode, and those of a mode in the order of their names; 9 comes before 10. */
export function inOrder(lines: readonly LineShort[]): LineShort[] {
  const place = ({ mode }: LineShort) => LAST_MODES.indexOf(mode);
  const byName = (one: LineShort, other: LineShort) =>
    lineName(one).localeCompare(lineName(other), undefined, { numeric: true });
  return lines.toSorted(
    (one, other) => place(one) - place(other) || one.mode.localeCompare(other.mode) || byName(one, other),
  );
}
