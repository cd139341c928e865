/** Which of the places of a search is off the map. */

import { type Bounds, contains } from '../map/bounds.js';
import type { Position } from '../state/place.js';

/** The places of a search after its start, and where the streets are. */
export interface SearchedPlaces {
  readonly via: readonly Position[];
  readonly to: Position | undefined;
  readonly bounds: Bounds;
}

/** Names what is off the map; `missing` are the ends that the server found no street at. */
export function offMap(
  missing: readonly string[],
  { via, to, bounds }: SearchedPlaces,
): 'from' | 'to' | 'both' | 'via' | 'some' {
  const isOff = (place: Position | undefined) => place !== undefined && !contains(bounds, place);
  const [lacksFrom, lacksTo] = ['from', 'to'].map((end) => missing.some((name) => name.startsWith(end)));
  // With places on the way, the interface means the end of the stretch between two of them.
  const isTo = lacksTo && (via.length === 0 || isOff(to));
  if (via.some(isOff)) return 'via';
  if (lacksFrom) return isTo ? 'both' : 'from';
  return isTo ? 'to' : 'some';
}
