/** The parameter `bannedTrips`: `feed:trip`, or `feed:trip:position:position…` to ban some calls of a trip. */

import type { BannedTrip, Graph } from '../../native/types.js';
import { listElements } from './entity-lists.js';

/** A graph, which knows the ids of its trips. */
export type KnownTrips = Pick<Graph, 'findSync'>;

/** Most numbers at the end of an id. */
const MOST_NUMBERS = 8;

/**
 * The trips of a list; elements without a colon are skipped. Ids of trips may contain colons too, so numbers at the end
 * may be parts of the id, which `withWholeIds` finds out.
 */
export function parseBannedTrips(text: string, parameter: string): BannedTrip[] {
  return listElements(text, parameter).flatMap((element) => {
    const parts = element.split(':');
    if (parts.length < 2) return [];
    // A position is written without zeros in front, unlike the minutes of a time in an id.
    const end = parts.findLastIndex((part, i) => i < 2 || !/^(0|[1-9]\d{0,8})$/.test(part)) + 1;
    return [{ trip: parts.slice(0, end).join(':'), stopPositions: parts.slice(end).map(Number) }];
  });
}

/** The first positions belong to the id, each after a colon, if the graph has no trip with the id without them. */
export function withWholeIds(banned: readonly BannedTrip[], graph: KnownTrips): BannedTrip[] {
  const found = [...banned];
  let unknown = [...found.keys()];
  for (let numbers = 0; numbers <= MOST_NUMBERS; numbers += 1) {
    const longer = (at: number) => withNumbers(banned[at] as BannedTrip, numbers);
    unknown = unknown.filter((at) => numbers <= (banned[at]?.stopPositions?.length ?? 0));
    if (unknown.length === 0) break;
    const indices = graph.findSync(
      'trips',
      unknown.map((at) => longer(at).trip),
    );
    for (const [i, at] of unknown.entries()) if ((indices[i] ?? -1) >= 0) found[at] = longer(at);
    unknown = unknown.filter((_, i) => (indices[i] ?? -1) < 0);
  }
  return found;
}

function withNumbers({ trip, stopPositions = [] }: BannedTrip, numbers: number): BannedTrip {
  return {
    trip: [trip, ...stopPositions.slice(0, numbers)].join(':'),
    stopPositions: stopPositions.slice(numbers),
  };
}
