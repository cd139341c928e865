/** Stops and lines that are one for a rider although the schedule has several. */

import type { Position } from '../state/place.js';
import type { FoundStop, LineShort } from './index-answers.js';

/** Stops of one name that are farther apart than this are different places, metres. */
const LARGEST_DISTANCE = 400;
const METRES_PER_DEGREE = 111_195;

/** Stops that have one name and are close together, in the order of the first of each group. */
export function groupedStops<S extends Pick<FoundStop, 'name' | 'lat' | 'lon'>>(stops: readonly S[]): S[][] {
  const groups: S[][] = [];
  for (const stop of stops) {
    const isOf = (group: S[]) =>
      group.some((one) => isOneName(one.name, stop.name) && metresBetween(one, stop) <= LARGEST_DISTANCE);
    const group = groups.find(isOf);
    if (group) group.push(stop);
    else groups.push([stop]);
  }
  return groups;
}

/** Feeds of different operators write the same name in capitals or not. */
function isOneName(one: string, other: string): boolean {
  return one.localeCompare(other, undefined, { sensitivity: 'base' }) === 0;
}

function metresBetween(one: Position, other: Position): number {
  const across = (other.lon - one.lon) * Math.cos((one.lat * Math.PI) / 180);
  return Math.hypot(other.lat - one.lat, across) * METRES_PER_DEGREE;
}

/** Lines that riders take for one: of one agency, with one number and colour, in the order of the first of each group. */
export function groupedLines<L extends LineShort>(lines: readonly L[]): L[][] {
  const groups = new Map<string, L[]>();
  for (const line of lines) {
    const { gtfsId, shortName, mode, color, agency } = line;
    const key = shortName ? JSON.stringify([agency?.gtfsId, mode, shortName, color]) : gtfsId;
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups.values()];
}
