/** The time of travel. */

import type { Calendar } from '../api/answers.js';
import { localDateTime } from '../text/format.js';

/** A date and a time in the time zone of the router, and what they stand for. */
export interface Moment {
  readonly when: 'now' | 'depart' | 'arrive';
  readonly date: string;
  readonly time: string;
}

/** The part of it that was chosen. */
type ChosenMoment = { readonly [K in keyof Moment]: Moment[K] | undefined };

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
/** Numbers of weekdays. */
const [SUNDAY, SATURDAY] = [0, 6];
/** Until then, the last vehicles of the evening before may be under way. */
const END_OF_NIGHT = '03:00';
/** The usual time of travel, for days other than today. */
const USUAL_TIME = '08:00';
/**
 * A day with a smaller share of the trips of the busiest day is a holiday, or one on which only some of the feeds run.
 * It is compared with the busiest day and not with the median: of feeds with different periods, the longest may have
 * the fewest trips.
 */
const USUAL_SHARE = 0.5;

/** The time that a choice means. Without a choice it is now if something may run now, or else a day with service. */
export function momentOf({ when, date, time }: ChosenMoment, calendar: Calendar, nowMs: number): Moment {
  const now = localDateTime(nowMs, calendar.timeZone);
  const wantsNow = when === 'now' || (when === undefined && date === undefined);
  if (wantsNow && servesNow(calendar, nowMs)) return { when: 'now', ...now };
  const day = date ?? (tripsOn(calendar, now.date) > 0 ? now.date : usualDay(calendar, now.date));
  const usual = day === now.date ? now.time : USUAL_TIME;
  return { when: when === 'arrive' ? 'arrive' : 'depart', date: day, time: time ?? usual };
}

/**
 * The parameters of a request for a moment; "now" is `nowMs`. It is an instant, because in the night in which clocks go
 * back a date and a time of day can mean two minutes.
 */
export function timeParameters({ when, date, time }: Moment, nowMs: number): { date?: string; time: string } {
  return when === 'now' ? { time: instantOf(nowMs) } : { date, time };
}

/** The beginning of a minute, as requests write an instant. */
export function instantOf(epochMs: number): string {
  return new Date(epochMs - (epochMs % MINUTE_MS)).toISOString();
}

/** Whether anything runs today, or may still run from the day before; always without transit. */
export function servesNow(calendar: Calendar, nowMs: number): boolean {
  if (calendar.firstDate === undefined) return true;
  const { date, time } = localDateTime(nowMs, calendar.timeZone);
  return tripsOn(calendar, date) > 0 || (time < END_OF_NIGHT && tripsOn(calendar, dayAfter(date, -1)) > 0);
}

/** Trips on a day, `2026-11-23`. */
export function tripsOn({ firstDate, trips }: Calendar, date: string): number {
  return firstDate === undefined ? 0 : (trips[daysBetween(firstDate, date)] ?? 0);
}

/** The last day with trips; undefined without transit. */
export function lastDate({ firstDate, trips }: Calendar): string | undefined {
  return firstDate === undefined ? undefined : dayAfter(firstDate, trips.length - 1);
}

/**
 * The day nearest to another one on which the usual number of trips runs, from Monday to Friday if there is one. Of two
 * equally near days it is the later one.
 */
export function usualDay({ firstDate, trips }: Calendar, today: string): string {
  if (firstDate === undefined) return today;
  const least = USUAL_SHARE * trips.reduce((most, count) => Math.max(most, count), 0);
  const days = trips.flatMap((count, day) => (count > 0 && count >= least ? [day] : []));
  const firstWeekday = new Date(firstDate).getUTCDay();
  const workdays = days.filter((day) => ![SATURDAY, SUNDAY].includes((firstWeekday + day) % 7));
  const at = daysBetween(firstDate, today);
  const nearer = (best: number, day: number) => (Math.abs(day - at) <= Math.abs(best - at) ? day : best);
  const [first = at, ...others] = workdays.length > 0 ? workdays : days;
  return dayAfter(firstDate, others.reduce(nearer, first));
}

function daysBetween(first: string, second: string): number {
  return Math.round((Date.parse(second) - Date.parse(first)) / DAY_MS);
}

function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** A date and a time of day in a time zone, as epoch seconds. */
export function epochSeconds({ date, time }: Pick<Moment, 'date' | 'time'>, timeZone: string): number {
  const wanted = Date.parse(`${date}T${time}Z`);
  let found = wanted;
  // The offset is the one at the time itself, which is known well enough after one step.
  for (let step = 0; step < 2; step++) {
    const shown = localDateTime(found, timeZone);
    found += wanted - Date.parse(`${shown.date}T${shown.time}Z`);
  }
  return Math.floor(found / 1000);
}
