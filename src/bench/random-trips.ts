/** Trips at random times of a service period. */

import type { Pair } from './pairs.js';
import { Random } from './random.js';
import type { BenchRequest } from './request-kinds.js';

/** A trip to request at an instant. */
export interface TimedTrip extends Pair {
  epochSeconds: number;
}

/** When a router has service: midnights in its own time zone, epoch seconds. */
export interface ServicePeriod {
  /** Of the first day. */
  starts: number;
  /** After the last day. */
  ends: number;
}

/** A service period, if both ends are known. */
export function periodOf(starts: number | undefined, ends: number | undefined): ServicePeriod | undefined {
  return starts === undefined || ends === undefined ? undefined : { starts, ends };
}

const DAY_S = 86_400;
const SUNDAY = 0;
/** Share of the trips that are moved to a Sunday, in addition to those that fall on one by chance. */
const SUNDAYS = 0.2;

/** Gives every pair a time: any second of the period, more often on Sundays. The same seed gives the same times. */
export function atRandomTimes(pairs: readonly Pair[], period: ServicePeriod, seed: number): TimedTrip[] {
  const random = new Random(seed, 'times');
  const days = Math.max(1, Math.round((period.ends - period.starts) / DAY_S));
  const numbers = Array.from({ length: days }, (_, day) => day);
  const sundays = numbers.filter((day) => weekday(period.starts + day * DAY_S) === SUNDAY);
  return pairs.map((pair) => {
    const day = random.pick(sundays.length > 0 && random.chance(SUNDAYS) ? sundays : numbers);
    return { ...pair, epochSeconds: period.starts + day * DAY_S + random.integer(0, DAY_S - 1) };
  });
}

/** The day of a period whose date is written with the year first. */
export function dayOf({ starts }: ServicePeriod, date: string): ServicePeriod {
  const midnight = starts + Math.round((Date.parse(date) / 1000 - starts) / DAY_S) * DAY_S;
  return { starts: midnight, ends: midnight + DAY_S };
}

/** Weekday of the date that starts at a midnight of any time zone. */
function weekday(midnight: number): number {
  return new Date((midnight + DAY_S / 2) * 1000).getUTCDay();
}

/** A plan with transit for a trip; the time is written so that it needs no time zone. */
export function planRequest(
  router: string,
  { from, to, epochSeconds }: TimedTrip,
  settings: Readonly<Record<string, string>>,
): BenchRequest {
  const time = new Date(epochSeconds * 1000).toISOString().replace('.000', '');
  const fixed = { fromPlace: from, toPlace: to, time, mode: 'TRANSIT,WALK', maxWalkDistance: '1000' };
  const query = new URLSearchParams({ ...fixed, ...settings }).toString();
  return { method: 'GET', path: `/routers/${encodeURIComponent(router)}/plan?${query}`, query };
}
