/** The time of a search for trips. */

import type { Itinerary } from '../api/answers.js';
import type { Moment } from '../state/moment.js';

const MINUTE_MS = 60_000;

/** The search at a moment; "now" is `nowMs`. */
export function atMoment(query: URLSearchParams, { when, date, time }: Moment, nowMs: number): URLSearchParams {
  if (when === 'now') return atInstant(query, 'depart', nowMs);
  const moved = new URLSearchParams(query);
  moved.set('date', date);
  moved.set('time', time);
  if (when === 'arrive') moved.set('arriveBy', 'true');
  return moved;
}

/** The same search for trips that leave after all of these. */
export function laterQuery(query: URLSearchParams, found: readonly Itinerary[]): URLSearchParams {
  const last = Math.max(...found.map(({ startTime }) => startTime));
  return atInstant(query, 'depart', last + MINUTE_MS);
}

/** The same search for trips that arrive before all of these. */
export function earlierQuery(query: URLSearchParams, found: readonly Itinerary[]): URLSearchParams {
  const first = Math.min(...found.map(({ endTime }) => endTime));
  return atInstant(query, 'arrive', first - MINUTE_MS);
}

/**
 * The search at the beginning of a minute. In the night in which clocks go back, a date and a time of day can mean two
 * minutes.
 */
function atInstant(query: URLSearchParams, when: 'depart' | 'arrive', epochMs: number): URLSearchParams {
  const moved = new URLSearchParams(query);
  moved.delete('date');
  moved.set('time', new Date(epochMs - (epochMs % MINUTE_MS)).toISOString());
  if (when === 'arrive') moved.set('arriveBy', 'true');
  else moved.delete('arriveBy');
  return moved;
}
