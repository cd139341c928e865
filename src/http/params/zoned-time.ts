/** Wall-clock time and instants, by way of the runtime's time zone tables. */

/** A wall-clock date and time; the members may be out of range (hour 25 is 1 o'clock of the next day). */
export interface WallClock {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** What the clocks of `timeZone` show at `epochSeconds`. */
export function wallClock(epochSeconds: number, timeZone: string): WallClock {
  const fields: Record<string, string> = {};
  for (const { type, value } of zoneFormat(timeZone).formatToParts(epochSeconds * 1000)) fields[type] = value;
  const number = (name: string) => Number(fields[name]);
  const year = fields.era?.startsWith('B') ? 1 - number('year') : number('year');
  return {
    year,
    month: number('month'),
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
    second: number('second'),
  };
}

/** Since 1980 clocks were only changed at a quarter of an hour. */
const QUARTERS_SINCE = 315_532_800;
const QUARTER_SECONDS = 900;
/** Quarters kept per zone; requests ask for the same few days again and again. */
const KNOWN_QUARTERS = 10_000;
const knownOffsets = new Map<string, Map<number, number>>();

/** Seconds that `timeZone` is ahead of UTC at `epochSeconds`. */
export function zoneOffset(epochSeconds: number, timeZone: string): number {
  if (!(epochSeconds >= QUARTERS_SINCE)) return offsetByTables(epochSeconds, timeZone);
  let offsets = knownOffsets.get(timeZone);
  if (!offsets || offsets.size >= KNOWN_QUARTERS) {
    offsets = new Map();
    knownOffsets.set(timeZone, offsets);
  }
  const quarter = Math.floor(epochSeconds / QUARTER_SECONDS);
  let offset = offsets.get(quarter);
  if (offset === undefined) {
    offset = offsetByTables(quarter * QUARTER_SECONDS, timeZone);
    offsets.set(quarter, offset);
  }
  return offset;
}

function offsetByTables(epochSeconds: number, timeZone: string): number {
  return asUtc(wallClock(epochSeconds, timeZone)) - epochSeconds;
}

/** The wall clock read as if it were UTC, in epoch seconds. */
export function asUtc({ year, month, day, hour, minute, second }: WallClock): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // unlike Date.UTC, takes years below 100 literally
  date.setUTCHours(hour, minute, second);
  return date.getTime() / 1000;
}

/**
 * The instant at which clocks of `timeZone` show `wall`. A time skipped in spring is read with the offset before
 * the change, a time that occurs twice in autumn with the one after it (standard time).
 *
 * @returns epoch seconds, or NaN when outside the range of dates.
 */
export function zonedToEpoch(wall: WallClock, timeZone: string): number {
  const local = asUtc(wall);
  const day = 86_400;
  if (!Number.isFinite(local) || Math.abs(local) > 8.64e12 - 2 * day) return Number.NaN;
  const before = zoneOffset(local - day, timeZone);
  const after = zoneOffset(local + day, timeZone);
  const late = local - after;
  return zoneOffset(late, timeZone) === after ? late : local - before;
}
