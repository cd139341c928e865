/** Times, distances and prices as text. Times are those of a given time zone, never of the browser. */

import type { Money } from '../api/answers.js';

const METRES_PER_FOOT = 0.3048;
const METRES_PER_MILE = 1609.344;

/** What the format of numbers depends on. */
interface Conventions {
  /** Language tag. */
  readonly locale: string;
  readonly units: 'metric' | 'imperial';
}

/** `08:05`: the time of day in a zone. */
export function clockTime(epochMs: number, timeZone: string, locale: string): string {
  return dateFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(epochMs);
}

/** The time of day in a zone, after the day if that is not today: `Mon, 23 Nov, 08:05`. */
export function recentTime(epochMs: number, nowMs: number, timeZone: string, locale: string): string {
  const time = clockTime(epochMs, timeZone, locale);
  const [day, today] = [epochMs, nowMs].map((moment) => localDateTime(moment, timeZone).date);
  return day === today ? time : `${dayName(epochMs, timeZone, locale)}, ${time}`;
}

/** `Mon, 23 Nov`: the day in a time zone. */
export function dayName(epochMs: number, timeZone: string, locale: string): string {
  return dateFormat(locale, { timeZone, weekday: 'short', day: 'numeric', month: 'short' }).format(epochMs);
}

/** A day of the calendar, `2026-11-23`, with its weekday and year. */
export function longDate(date: string, locale: string): string {
  const options = { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' } as const;
  return dateFormat(locale, options).format(Date.parse(date));
}

/** Date and time in a time zone, as input fields have them. */
export function localDateTime(epochMs: number, timeZone: string): { date: string; time: string } {
  const parts = dateFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(epochMs);
  return { date: parts.slice(0, 10), time: parts.slice(11, 16) };
}

/** `7 min`, `1 h 5 min`; seconds are rounded to minutes, but at least to one. */
export function duration(seconds: number, locale: string): string {
  const minutes = seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : 0;
  const parts: string[] = [];
  if (minutes >= 60) parts.push(unit(Math.floor(minutes / 60), 'hour', locale));
  if (minutes < 60 || minutes % 60 > 0) parts.push(unit(minutes % 60, 'minute', locale));
  return parts.join(' ');
}

/**
 * How many minutes lie between two moments as `clockTime` shows them. A length that was rounded by itself would often
 * differ from the times beside it, and lengths of parts would not add up to that of the whole.
 */
export function minutesBetween(startMs: number, endMs: number): number {
  return Math.floor(endMs / 60_000) - Math.floor(startMs / 60_000);
}

/** The length of a trip or a part of it as its times show it, but at least one minute. */
export function shownMinutes({ startTime, endTime }: { startTime: number; endTime: number }): number {
  return Math.max(1, minutesBetween(startTime, endTime));
}

/** The same in words. */
export function shownDuration(times: { startTime: number; endTime: number }, locale: string): string {
  return duration(shownMinutes(times) * 60, locale);
}

/** `80 m`, `1.2 km`; `260 ft`, `0.7 mi`. */
export function distance(metres: number, { locale, units }: Conventions): string {
  if (units === 'imperial') {
    const feet = metres / METRES_PER_FOOT;
    if (feet < 1000) return unit(Math.round(feet / 10) * 10, 'foot', locale);
    return unit(metres / METRES_PER_MILE, 'mile', locale, 1);
  }
  if (metres < 995) return unit(metres < 100 ? Math.round(metres) : Math.round(metres / 10) * 10, 'meter', locale);
  return unit(metres / 1000, 'kilometer', locale, metres < 99_500 ? 1 : 0);
}

/** Elevation in metres or feet. */
export function height(metres: number, { locale, units }: Conventions): string {
  if (units === 'imperial') return unit(Math.round(metres / METRES_PER_FOOT), 'foot', locale);
  return unit(Math.round(metres), 'meter', locale);
}

/** `40%`, with a space where the language has one. */
export function percentage(percent: number, locale: string): string {
  return numberFormat(locale, { style: 'percent' }).format(percent / 100);
}

/** A price in the user's language; of an unknown currency, the code and the amount. */
export function price({ currency, cents }: Money, locale: string): string {
  const digits = currency.defaultFractionDigits;
  const amount = cents / 10 ** digits;
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency: currency.currencyCode }).format(amount);
  } catch {
    return `${amount.toFixed(digits)} ${currency.currencyCode}`;
  }
}

function unit(value: number, name: string, locale: string, digits = 0): string {
  const options = { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits } as const;
  // The language alone: British English would have `7 mins` where all others have `7 min`.
  return numberFormat(locale.split('-')[0] ?? locale, options).format(value);
}

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

/** Making a format takes much longer than using it. */
function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return kept(`n${locale}${JSON.stringify(options)}`, () => new Intl.NumberFormat(locale, options));
}

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(`d${locale}${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale, options));
}

function kept<F extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => F): F {
  const known = formats.get(key) as F | undefined;
  const format = known ?? make();
  formats.set(key, format);
  return format;
}
