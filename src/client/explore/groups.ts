/** Stops and lines that are one for a rider although the schedule has several. */

import { areOnePlace } from '../state/place.js';
import type { FoundStop, LineShort } from './index-answers.js';

/** Stops that are one place, in the order of the first of each group. */
export function groupedStops<S extends Pick<FoundStop, 'name' | 'lat' | 'lon'>>(stops: readonly S[]): S[][] {
  const groups: S[][] = [];
  for (const stop of stops) {
    const group = groups.find((found) => found.some((one) => areOnePlace(one, stop)));
    if (group) group.push(stop);
    else groups.push([stop]);
  }
  return groups;
}

/**
 * Lines that riders regard as one: of one agency, with the same number, mode and colour, in the order of the first of
 * each group. Lines without a number stay apart.
 */
export function groupedLines<L extends LineShort>(lines: readonly L[]): L[][] {
  const groups = new Map<string, L[]>();
  for (const line of lines) {
    const { gtfsId, shortName, mode, color, agency } = line;
    const key = shortName ? JSON.stringify([agency?.gtfsId, mode, shortName, color]) : gtfsId;
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups.values()];
}

/** Lines without repeats, in the order of the first of each. */
export function eachOnce(lines: readonly LineShort[]): LineShort[] {
  return [...new Map(lines.map((line) => [line.gtfsId, line])).values()];
}
