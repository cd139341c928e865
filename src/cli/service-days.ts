/** The days of a graph's timetables, for messages. */

import type { GraphInfo } from '../native/types.js';

/** First and last day, such as `2026-01-01 to 2027-12-31`; undefined when nothing ever runs. */
export function serviceDays({ transitServiceStarts, transitServiceEnds, timeZone }: GraphInfo): string | undefined {
  if (!transitServiceStarts || !transitServiceEnds) return undefined;
  // In this language dates have the year first.
  const days = new Intl.DateTimeFormat('sv-SE', { timeZone });
  return `${days.format(transitServiceStarts * 1000)} to ${days.format((transitServiceEnds - 1) * 1000)}`;
}
