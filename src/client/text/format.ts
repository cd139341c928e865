/** Times, distances and prices as text. */

import type { Money, Step } from '../api/answers.js';

/** `08:05`: the time of day at an offset from UTC (milliseconds). */
export function clockTime(epochMs: number, offsetMs: number): string {
  return new Date(epochMs + offsetMs).toISOString().slice(11, 16);
}

/** `7 min`, `1 h 05 min`; seconds are rounded to minutes. */
export function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** `80 m`, `1.2 km`. */
export function distance(metres: number): string {
  if (metres < 995) return `${metres < 100 ? Math.round(metres) : Math.round(metres / 10) * 10} m`;
  return `${(metres / 1000).toFixed(1)} km`;
}

/** A price in the reader's language; for unknown currency codes, the code beside the amount. */
export function price({ currency, cents }: Money, locale?: string): string {
  const digits = currency.defaultFractionDigits;
  const amount = cents / 10 ** digits;
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency: currency.currencyCode }).format(amount);
  } catch {
    return `${amount.toFixed(digits)} ${currency.currencyCode}`;
  }
}

const TURNS: Readonly<Record<string, string>> = {
  DEPART: 'Start',
  HARD_LEFT: 'Turn sharp left',
  LEFT: 'Turn left',
  SLIGHTLY_LEFT: 'Bear left',
  CONTINUE: 'Continue',
  SLIGHTLY_RIGHT: 'Bear right',
  RIGHT: 'Turn right',
  HARD_RIGHT: 'Turn sharp right',
  CIRCLE_CLOCKWISE: 'Take the roundabout',
  CIRCLE_COUNTERCLOCKWISE: 'Take the roundabout',
  ELEVATOR: 'Take the elevator',
  UTURN_LEFT: 'Turn around',
  UTURN_RIGHT: 'Turn around',
};

/** `Turn left onto Rua Nova`. */
export function instruction(step: Step): string {
  const turn = TURNS[step.relativeDirection] ?? 'Go';
  if (step.relativeDirection === 'ELEVATOR') return turn;
  const exit = step.exit === undefined ? '' : `, exit ${step.exit},`;
  const heading =
    step.relativeDirection === 'DEPART' && step.absoluteDirection !== undefined
      ? ` ${step.absoluteDirection.toLowerCase()}`
      : '';
  return `${turn}${heading}${exit} ${step.stayOn ? 'to stay on' : 'onto'} ${step.streetName}`;
}

/** `RAIL` as `Rail`, `CABLE_CAR` as `Cable car`. */
export function modeName(mode: string): string {
  const words = mode.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Names of the combinations of modes that a router offers. */
const TRAVEL_OPTIONS: Readonly<Record<string, string>> = {
  TRANSIT: 'Transit',
  WALK: 'Walk',
  BICYCLE: 'Bicycle',
  CAR: 'Car',
  TRANSIT_BICYCLE: 'Transit and your own bicycle',
  BICYCLERENT: 'Rental bicycle',
  TRANSIT_BICYCLERENT: 'Transit and rental bicycle',
  PARKRIDE: 'Park and ride',
  BIKERIDE: 'Bike and ride',
  KISSRIDE: 'Be driven to transit',
};

/** A combination of modes in words. */
export function travelOption(name: string): string {
  return TRAVEL_OPTIONS[name] ?? `${modeName(name)} only`;
}

/** `41.15000,-8.62000`: a coordinate as the interface takes it. */
export function coordinate({ lat, lon }: { lat: number; lon: number }): string {
  return `${lat.toFixed(5)},${lon.toFixed(5)}`;
}

/** Reads `lat,lon` in degrees; undefined for anything else. */
export function parseCoordinate(text: string): { lat: number; lon: number } | undefined {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*[,; ]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text);
  if (!match) return undefined;
  const lat = Number(match[1]);
  const lon = Number(match[2]);
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined;
}
