/** The days of a graph's timetables, for messages. */

import type { GraphInfo } from '../native/types.js';
import { type Clocks, dateOf } from '../zoned-time.js';

/** First and last day, such as `2026-01-01 to 2027-12-31`; undefined when nothing ever runs. */
export function serviceDays(info: GraphInfo, clocks: Clocks): string | undefined {
  const { transitServiceStarts, transitServiceEnds } = info;
  if (!transitServiceStarts || !transitServiceEnds) return undefined;
  return `${dateOf(transitServiceStarts, clocks)} to ${dateOf(transitServiceEnds - 1, clocks)}`;
}
