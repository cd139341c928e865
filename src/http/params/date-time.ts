/** The `date` and `time` parameters: the formats that clients of the interface send, and the defaults for both. */

import { quoted } from '../../quoted.js';
import { type CalendarDate, type Clocks, type ClockTime, wallClock, zonedToEpoch } from '../../zoned-time.js';
import { BadParameter } from './bad-parameter.js';

/** End of the year 9999, epoch seconds. */
const LAST_INSTANT = 253_402_300_799;

/** What decides which instant a time stands for. */
interface Meaning {
  clocks: Clocks;
  /** The present, epoch milliseconds. */
  nowMs: number;
  /** The time is the latest arrival. */
  arriveBy?: boolean | undefined;
}

/**
 * The instant of `date` and `time` on the graph's clocks.
 *
 * @returns epoch seconds.
 * @throws BadParameter for an unreadable `date`, or an unreadable `time` without a date.
 */
export function requestedInstant(date: string | undefined, time: string | undefined, meaning: Meaning): number {
  const { clocks } = meaning;
  const now = Math.floor(meaning.nowMs / 1000);
  if (date === undefined) return time === undefined ? now : instantWithoutDate(time, meaning);
  const day = parseDate(date);
  if (!day) throw new BadParameter('date', `${quoted(date)} is not a date such as 2026-11-23`);
  const present = wallClock(now, clocks);
  const clock = time === undefined ? undefined : parseTime(time);
  // When clocks go back, the present time of day is that of two instants.
  if (clock === undefined && isSameDate(day, present)) return now;
  const { hour, minute, second } = clock ?? present;
  const epochSeconds = instantOf({ ...day, hour, minute, second }, meaning);
  if (!(epochSeconds <= LAST_INSTANT)) throw new BadParameter('time', `${quoted(time ?? '')} is out of range`);
  return epochSeconds;
}

/** Whether these parameters always stand for the same instant, and not for one that depends on the present. */
export function isFixedInstant(date: string | undefined, time: string | undefined): boolean {
  if (time === undefined) return false;
  return date === undefined ? isoFields(time)?.year !== undefined : parseTime(time) !== undefined;
}

/**
 * Where clocks go back, they show some times twice, and requests cannot say which of the two instants they mean. A
 * departure is at the second. An arrival is by the first, so that clients that ask for an earlier arrival than that of a
 * trip get an earlier trip, unless the present is between the two.
 */
function instantOf(wall: CalendarDate & ClockTime, { clocks, nowMs, arriveBy = false }: Meaning): number {
  const second = zonedToEpoch(wall, clocks);
  if (!arriveBy) return second;
  const first = zonedToEpoch(wall, clocks, 'first');
  const onlyFirstHasPassed = first * 1000 < nowMs && nowMs <= second * 1000;
  return onlyFirstHasPassed ? second : first;
}

function isSameDate(one: CalendarDate, other: CalendarDate): boolean {
  return one.year === other.year && one.month === other.month && one.day === other.day;
}

/** The fields of a date pattern, as groups of a regular expression. */
const FIELDS: Record<string, string> = {
  yyyy: '(?<year>\\d+)',
  // Two digits are a year near the present; any other number of digits is the year itself.
  yy: '(?<shortYear>\\d+)',
  M: '(?<month>\\d+)',
  d: '(?<day>\\d+)',
  h: '(?<hour12>\\d+)',
  m: '(?<minute>\\d+)',
  a: '[aApP][mM]',
};

/** Patterns of long dates, tried in this order; only the start of the text has to match. */
const LONG_DATES = ['M.d.yy h.m a', 'M.d.yyyy', 'yyyy.M.d', 'h.m a'].map(datePattern);

/** Patterns for texts of at most eight characters, which have no four-digit year. */
const SHORT_DATES = ['M.d.yy', 'yy.M.d', 'h.m a'].map(datePattern);

function datePattern(pattern: string): RegExp {
  const source = pattern.replace(/yyyy|yy|[Mdhma]|\.| /g, (token) =>
    token === '.' ? '\\.' : token === ' ' ? ' +' : (FIELDS[token] ?? token),
  );
  return new RegExp(`^${source}`);
}

/** Reads a date in any accepted format; a time of day, which some formats include, is checked and dropped. */
export function parseDate(text: string): CalendarDate | undefined {
  if (text.length > 100) return undefined;
  if (/^\d{8}$/.test(text)) {
    return realDate(Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6)));
  }
  const dotted = text.replace(/[_\-:/]/g, '.');
  const patterns = text.length <= 8 && !/20\d\d/.test(text) ? SHORT_DATES : LONG_DATES;
  for (const pattern of patterns) {
    const fields = pattern.exec(dotted)?.groups;
    const found = fields && dateIn(fields);
    if (found && found.year >= 1000) return found;
  }
  return undefined;
}

function dateIn(fields: Record<string, string>): CalendarDate | undefined {
  const within = (name: string, low: number, high: number) =>
    fields[name] === undefined || (Number(fields[name]) >= low && Number(fields[name]) <= high);
  if (!within('hour12', 1, 12) || !within('minute', 0, 59)) return undefined;
  if (fields.month === undefined) return { year: 1970, month: 1, day: 1 };
  const year = fields.shortYear === undefined ? Number(fields.year) : nearYear(fields.shortYear);
  return realDate(year, Number(fields.month), Number(fields.day));
}

/** `19` is the year between 80 years ago and 20 years ahead that ends in 19; other texts are the year itself. */
function nearYear(digits: string): number {
  const year = Number(digits);
  if (digits.length !== 2) return year;
  const first = new Date().getUTCFullYear() - 80;
  return first + ((((year - first) % 100) + 100) % 100);
}

function realDate(year: number, month: number, day: number): CalendarDate | undefined {
  if (year > 9999) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? { year, month, day } : undefined;
}

/** Programs that format times for a locale put a no-break space before AM, or write `a. m.`. */
const CLOCK = /^\s*(-?\d{1,9})\s*:\s*(-?\d{1,9})\s*(?::\s*(-?\d{1,9})\s*)?(?:([AP])\.?\s?M\.?)?\s*$/;

/** Reads `H:mm[:ss]`, maybe with am/pm. Hours and minutes may exceed their range: 25:05 is the next day. */
export function parseTime(text: string): ClockTime | undefined {
  const match = CLOCK.exec(text.slice(0, 100).replaceAll('%20', ' ').toUpperCase());
  if (!match) return undefined;
  const [, hours, minutes, seconds, half] = match;
  const hour = Number(hours);
  return {
    hour: half === undefined ? hour : (hour === 12 ? 0 : hour) + (half === 'P' ? 12 : 0),
    minute: Number(minutes),
    second: Number(seconds ?? 0),
  };
}

const ISO =
  /^(?:(?<year>-?\d{4})-(?<month>\d\d)-(?<day>\d\d))?(?:(?:^|T)(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d+)?)?)?(?<offset>Z|[+-]\d\d:\d\d)?$/;

/** What a `time` without a `date` may be: a time of today, or an ISO 8601 date and time, date or time. */
function instantWithoutDate(text: string, meaning: Meaning): number {
  const instant = timeOfToday(text, meaning) ?? isoInstant(text, meaning);
  if (instant !== undefined && instant <= LAST_INSTANT) return instant;
  throw new BadParameter('time', `${quoted(text)} is no time such as 17:05, and no ISO 8601 date and time`);
}

function timeOfToday(text: string, meaning: Meaning): number | undefined {
  const clock = parseTime(text);
  return clock && instantOf({ ...wallClock(meaning.nowMs / 1000, meaning.clocks), ...clock }, meaning);
}

function isoFields(text: string): Record<string, string | undefined> | undefined {
  return text.length <= 60 ? ISO.exec(text)?.groups : undefined;
}

/** Without an offset, the graph's clocks count; without a date, it is today. */
function isoInstant(text: string, meaning: Meaning): number | undefined {
  const { year, month, day, hour, minute, second, offset } = isoFields(text) ?? {};
  if (year === undefined && hour === undefined) return undefined;
  const seconds = offset === undefined ? undefined : offsetSeconds(offset);
  const clocks = seconds === undefined ? meaning.clocks : { utcOffset: () => seconds };
  const today = wallClock(meaning.nowMs / 1000, clocks);
  const date = year === undefined ? today : realDate(Number(year), Number(month), Number(day));
  const clock = { hour: Number(hour ?? 0), minute: Number(minute ?? 0), second: Number(second ?? 0) };
  if (!date || clock.hour > 24 || clock.minute > 59 || clock.second > 59) return undefined;
  return instantOf({ ...date, ...clock }, { ...meaning, clocks });
}

function offsetSeconds(offset: string): number {
  if (offset === 'Z') return 0;
  const seconds = Number(offset.slice(1, 3)) * 3600 + Number(offset.slice(4)) * 60;
  return offset.startsWith('-') ? -seconds : seconds;
}
