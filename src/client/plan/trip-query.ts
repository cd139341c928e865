/** The parameters of a search for trips. */

import type { RouterInfo } from '../api/answers.js';
import type { StateValues } from '../state/address.js';
import { PLACE } from '../state/codec.js';
import type { TRIP_SEARCH } from '../state/fields.js';
import type { Moment } from '../state/moment.js';
import type { Place } from '../state/place.js';
import { modeParameter, optionOf } from './travel-modes.js';
import { atMoment } from './trip-time.js';

/** The members of the state that a search for trips depends on. */
export type TripRequest = Pick<StateValues, Exclude<(typeof TRIP_SEARCH)[number], 'router' | 'from' | 'to'>> & {
  readonly from: Place;
  readonly to: Place;
  readonly language: string;
};

/**
 * Each further boarding costs as much as this many more seconds in a vehicle, for travellers who prefer few transfers.
 */
const TRANSFER_PENALTY = 600;
const ITINERARIES = 4;

/** The parameters of a search for a moment; "now" is `nowMs`. */
export function tripQuery(request: TripRequest, info: RouterInfo, moment: Moment, nowMs: number): URLSearchParams {
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
  return atMoment(query, moment, nowMs);
}
