/** Wall-clock time and instants. */

/** Clocks of a place; those of a graph are in the time zone of its first agency. */
export interface Clocks {
  /** Seconds that the clocks are ahead of UTC at `epochSeconds`. */
  utcOffset(epochSeconds: number): number;
}

/** A wall-clock date and time; members may be out of range (hour 25 is 1 o'clock of the next day). */
interface WallClock {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

export type CalendarDate = Pick<WallClock, 'year' | 'month' | 'day'>;
export type ClockTime = Pick<WallClock, 'hour' | 'minute' | 'second'>;

/** The wall-clock time that `clocks` show at `epochSeconds`. */
export function wallClock(epochSeconds: number, clocks: Clocks): WallClock {
  const date = new Date((epochSeconds + clocks.utcOffset(epochSeconds)) * 1000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

/** The date that `clocks` show at `epochSeconds`, as requests write it: 2026-11-23. */
export function dateOf(epochSeconds: number, clocks: Clocks): string {
  const { year, month, day } = wallClock(epochSeconds, clocks);
  return [String(year).padStart(4, '0'), twoDigits(month), twoDigits(day)].join('-');
}

/** The time of day that `clocks` show at `epochSeconds`: 08:15:00. */
export function timeOfDay(epochSeconds: number, clocks: Clocks): string {
  const { hour, minute, second } = wallClock(epochSeconds, clocks);
  return [hour, minute, second].map(twoDigits).join(':');
}

/** The same without its seconds: 08:15. */
export function hourAndMinute(epochSeconds: number, clocks: Clocks): string {
  return timeOfDay(epochSeconds, clocks).slice(0, 5);
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** The wall clock read as if it were UTC, in epoch seconds; NaN when outside the range of dates. */
export function asUtc({ year, month, day, hour, minute, second }: WallClock): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // unlike Date.UTC, takes years below 100 literally
  date.setUTCHours(hour, minute, second);
  return date.getTime() / 1000;
}

/**
 * The instant at which `clocks` show `wall`. A time skipped in spring is read with the offset before the change; a time
 * that occurs twice in autumn, with the one after it (standard time) unless the first one is wanted.
 *
 * @returns epoch seconds, or NaN when outside the range of dates.
 */
export function zonedToEpoch(wall: WallClock, clocks: Clocks, ofTwo: 'first' | 'second' = 'second'): number {
  const local = asUtc(wall);
  const day = 86_400;
  if (!Number.isFinite(local) || Math.abs(local) > 8.64e12 - 2 * day) return Number.NaN;
  const before = clocks.utcOffset(local - day);
  const after = clocks.utcOffset(local + day);
  const early = local - before;
  const late = local - after;
  if (clocks.utcOffset(late) !== after) return early;
  return ofTwo === 'first' && clocks.utcOffset(early) === before ? early : late;
}
