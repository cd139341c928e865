/** The time of a search for trips. */

import type { Itinerary } from '../api/answers.js';
import { epochSeconds, instantOf, MINUTE_MS, type Moment, timeParameters } from '../state/moment.js';
import { usesTransit } from './itinerary.js';

/** A longer wait for the first trip is one that a traveller does not expect. */
const FAR_MS = 3 * 60 * MINUTE_MS;

/** The search at a moment; "now" is `nowMs`. */
export function atMoment(query: URLSearchParams, moment: Moment, nowMs: number): URLSearchParams {
  const moved = new URLSearchParams(query);
  for (const [name, value] of Object.entries(timeParameters(moment, nowMs))) moved.set(name, value);
  if (moment.when === 'arrive') moved.set('arriveBy', 'true');
  return moved;
}

/** The same search for trips that leave after all of these. */
export function laterQuery(query: URLSearchParams, found: readonly Itinerary[]): URLSearchParams {
  const last = Math.max(...scheduled(found).map(({ startTime }) => startTime));
  return atInstant(query, 'depart', last + MINUTE_MS);
}

/** The same search for trips that arrive before all of these. */
export function earlierQuery(query: URLSearchParams, found: readonly Itinerary[]): URLSearchParams {
  const first = Math.min(...scheduled(found).map(({ endTime }) => endTime));
  return atInstant(query, 'arrive', first - MINUTE_MS);
}

/**
 * The trips by vehicle, if there are any. One without vehicles can begin at any time, so it does not say how far the
 * search came.
 */
function scheduled(found: readonly Itinerary[]): readonly Itinerary[] {
  return found.some(usesTransit) ? found.filter(usesTransit) : found;
}

/** Whether all trips are hours away from the time that was searched for, perhaps on another day. */
export function areFarOff(found: readonly Itinerary[], moment: Moment, timeZone: string): boolean {
  const wanted = epochSeconds(moment, timeZone) * 1000;
  const end = moment.when === 'arrive' ? 'endTime' : 'startTime';
  return found.every((itinerary) => Math.abs(itinerary[end] - wanted) > FAR_MS);
}

/** The search at the beginning of a minute. */
function atInstant(query: URLSearchParams, when: 'depart' | 'arrive', epochMs: number): URLSearchParams {
  const moved = new URLSearchParams(query);
  moved.delete('date');
  moved.set('time', instantOf(epochMs));
  if (when === 'arrive') moved.set('arriveBy', 'true');
  else moved.delete('arriveBy');
  return moved;
}
