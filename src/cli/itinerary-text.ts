/** Itineraries for people: one line per leg, in the graph's time zone. */

import { wallClock } from '../http/params/zoned-time.js';
import type { Itinerary, Leg, Plan } from '../native/types.js';
import { money } from '../serialization/money.js';

/** All itineraries of a plan. */
export function itinerariesText(plan: Plan, timeZone: string): string {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const shown = plan.itineraries.map((itinerary, i) => itineraryText(itinerary, i + 1, clock));
  return [`${plan.from.name} → ${plan.to.name}, ${isoDate(plan.date, timeZone)}\n`, ...shown].join('\n');
}

function isoDate(epochMs: number, timeZone: string): string {
  const { year, month, day } = wallClock(epochMs / 1000, timeZone);
  return [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}

function itineraryText(itinerary: Itinerary, number: number, clock: Intl.DateTimeFormat): string {
  const facts = [
    duration((itinerary.endTime - itinerary.startTime) / 1000),
    `${itinerary.transfers} transfer${itinerary.transfers === 1 ? '' : 's'}`,
    `${distance(itinerary.walkDistance)} on foot or bike`,
    ...itinerary.fare.map(({ fareType, currency, cents }) => `${fareType} ${price(currency, cents)}`),
  ];
  const head = `${number}. ${clock.format(itinerary.startTime)} – ${clock.format(itinerary.endTime)}  (${facts.join(', ')})`;
  return `${[head, ...itinerary.legs.map((leg) => legText(leg, clock))].join('\n')}\n`;
}

function legText(leg: Leg, clock: Intl.DateTimeFormat): string {
  const seconds = (leg.endTime - leg.startTime) / 1000;
  const times = `   ${clock.format(leg.startTime)} – ${clock.format(leg.endTime)}`;
  const { transit } = leg;
  if (!transit) {
    return `${times}  ${leg.mode.toLowerCase()} ${distance(leg.distance)} to ${leg.to.name} (${duration(seconds)})`;
  }
  const headsign = transit.headsign === undefined ? '' : ` towards ${transit.headsign}`;
  const late =
    leg.departureDelay === 0
      ? ''
      : `, ${duration(Math.abs(leg.departureDelay))} ${leg.departureDelay > 0 ? 'late' : 'early'}`;
  const line = `${leg.mode.toLowerCase()} ${transit.route}${headsign}`;
  return `${times}  ${line}: ${leg.from.name} → ${leg.to.name} (${duration(seconds)}${late})`;
}

function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return minutes === 0 ? `${Math.round(seconds)} s` : `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

function distance(metres: number): string {
  return metres < 1000 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(1)} km`;
}

function price(currency: string, cents: number): string {
  const { symbol, defaultFractionDigits: digits } = money(currency, cents).currency;
  return `${symbol} ${(cents / 10 ** digits).toFixed(digits)}`;
}
