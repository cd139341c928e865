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
  const found = new Map<BannedTrip, BannedTrip>();
  let unknown = [...banned];
  for (let numbers = 0; numbers <= MOST_NUMBERS && unknown.length > 0; numbers += 1) {
    const read = unknown.map((trip) => withNumbers(trip, numbers));
    const indices = graph.findSync(
      'trips',
      read.map(({ trip }) => trip),
    );
    for (const [i, trip] of unknown.entries()) if ((indices[i] ?? -1) >= 0) found.set(trip, read[i] ?? trip);
    unknown = unknown.filter((trip) => !found.has(trip) && (trip.stopPositions?.length ?? 0) > numbers);
  }
  return banned.map((trip) => found.get(trip) ?? trip);
}

function withNumbers({ trip, stopPositions = [] }: BannedTrip, numbers: number): BannedTrip {
  return {
    trip: [trip, ...stopPositions.slice(0, numbers)].join(':'),
    stopPositions: stopPositions.slice(numbers),
  };
}
