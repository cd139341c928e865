/** Which of the places of a search is outside the map. */

import { type Bounds, contains } from '../map/bounds.js';
import type { Position } from '../state/place.js';

/** The places of a search after its start, and the area of the streets. */
export interface SearchedPlaces {
  readonly via: readonly Position[];
  readonly to: Position | undefined;
  readonly bounds: Bounds;
}

/** Names the place that is outside the map; `missing` are the ends for which the server found no street. */
export function offMap(
  missing: readonly string[],
  { via, to, bounds }: SearchedPlaces,
): 'from' | 'to' | 'both' | 'via' | 'some' {
  const isOff = (place: Position | undefined) => place !== undefined && !contains(bounds, place);
  const [lacksFrom, lacksTo] = ['from', 'to'].map((end) => missing.some((name) => name.startsWith(end)));
  // With places on the way, the interface means the ends of one section between two of them.
  const isTo = lacksTo && (via.length === 0 || isOff(to));
  if (via.some(isOff)) return 'via';
  if (lacksFrom) return isTo ? 'both' : 'from';
  return isTo ? 'to' : 'some';
}
