/** The parameters of a search for trips. */

import type { Itinerary, RouterInfo } from '../api/answers.js';
import type { StateValues } from '../state/address.js';
import { PLACE } from '../state/codec.js';
import type { TRIP_SEARCH } from '../state/fields.js';
import type { Moment } from '../state/moment.js';
import type { Place } from '../state/place.js';
import { localDateTime } from '../text/format.js';
import { modeParameter, optionOf } from './travel-modes.js';

/** The members of the state that a search for trips depends on. */
export type TripRequest = Pick<StateValues, Exclude<(typeof TRIP_SEARCH)[number], 'router' | 'from' | 'to'>> & {
  readonly from: Place;
  readonly to: Place;
  /** The language of alerts. */
  readonly language: string;
};

/**
 * Each further boarding costs as much as this many more seconds in a vehicle, for travellers who prefer few transfers.
 */
const TRANSFER_PENALTY = 600;
const ITINERARIES = 4;

/** The parameters of a search for a moment. */
export function tripQuery(request: TripRequest, info: RouterInfo, moment: Moment): URLSearchParams {
  const query = new URLSearchParams({
    fromPlace: PLACE.write(request.from),
    toPlace: PLACE.write(request.to),
    mode: modeParameter(optionOf(request.mode, info), info, request.without),
    showIntermediateStops: 'true',
    numItineraries: String(ITINERARIES),
    locale: request.language,
  });
  for (const place of request.via) query.append('intermediatePlaces', PLACE.write(place));
  if (request.wheelchair) query.set('wheelchair', 'true');
  if (request.maxWalk > 0) query.set('maxWalkDistance', String(request.maxWalk));
  if (request.fewTransfers) query.set('transferPenalty', String(TRANSFER_PENALTY));
  if (request.bike) {
    const { safety, flatness } = request.bike;
    query.set('optimize', 'TRIANGLE');
    query.set('triangleSafetyFactor', String(safety / 100));
    query.set('triangleSlopeFactor', String(flatness / 100));
    // The sum of the three has to be exactly one.
    query.set('triangleTimeFactor', String((100 - safety - flatness) / 100));
  }
  return at(query, moment);
}

/** The same search for trips that leave after all of these. */
export function laterQuery(query: URLSearchParams, found: readonly Itinerary[], timeZone: string): URLSearchParams {
  const last = Math.max(...found.map(({ startTime }) => startTime));
  return at(query, { when: 'depart', ...localDateTime(last + 60_000, timeZone) });
}

/** The same search for trips that arrive before all of these. */
export function earlierQuery(query: URLSearchParams, found: readonly Itinerary[], timeZone: string): URLSearchParams {
  const first = Math.min(...found.map(({ endTime }) => endTime));
  return at(query, { when: 'arrive', ...localDateTime(first - 60_000, timeZone) });
}

function at(query: URLSearchParams, { when, date, time }: Moment): URLSearchParams {
  const moved = new URLSearchParams(query);
  moved.set('date', date);
  moved.set('time', time);
  if (when === 'arrive') moved.set('arriveBy', 'true');
  else moved.delete('arriveBy');
  return moved;
}
