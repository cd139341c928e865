/** Itineraries for people: one line per leg, in the time of the graph. */

import { counted } from '../../counted.js';
import type { Fare, Itinerary, Leg, Plan } from '../../native/types.js';
import { money } from '../../serialization/money.js';
import { type Clocks, dateOf, hourAndMinute } from '../../zoned-time.js';

export function itinerariesText(plan: Plan, clocks: Clocks): string {
  const date = dateOf(plan.date, clocks);
  const shown = plan.itineraries.map((itinerary, i) => {
    const start = dateOf(itinerary.startTime, clocks);
    const day = start === date ? '' : `${start} `;
    return itineraryText(itinerary, `${i + 1}. ${day}`, clocks);
  });
  return [`${plan.from.name} → ${plan.to.name}, ${date}\n`, ...shown].join('\n');
}

/** `label` is the number of the itinerary, with its date if that is not the requested day. */
function itineraryText(itinerary: Itinerary, label: string, clocks: Clocks): string {
  const facts = [
    durationOf(itinerary),
    counted(itinerary.transfers, 'transfer'),
    `${distance(itinerary.walkDistance)} on foot or bike`,
    ...itinerary.fare.map((fare) => `${fare.fareType} ${price(fare)}`),
    ...(itinerary.tooSloped ? ['steeper than the limit for wheelchairs'] : []),
  ];
  const head = `${label}${times(itinerary, clocks)}  (${facts.join(', ')})`;
  return `${[head, ...itinerary.legs.map((leg) => legText(leg, clocks))].join('\n')}\n`;
}

function times({ startTime, endTime }: { startTime: number; endTime: number }, clocks: Clocks): string {
  return `${hourAndMinute(startTime, clocks)} – ${hourAndMinute(endTime, clocks)}`;
}

function legText(leg: Leg, clocks: Clocks): string {
  const when = `   ${times(leg, clocks)}`;
  const { transit } = leg;
  if (!transit) {
    return `${when}  ${leg.mode.toLowerCase()} ${distance(leg.distance)} to ${leg.to.name} (${durationOf(leg)})`;
  }
  const headsign = transit.headsign === undefined ? '' : ` towards ${transit.headsign}`;
  const late =
    leg.departureDelay === 0
      ? ''
      : `, ${duration(Math.abs(leg.departureDelay))} ${leg.departureDelay > 0 ? 'late' : 'early'}`;
  const line = `${leg.mode.toLowerCase()} ${transit.route}${headsign}`;
  return `${when}  ${line}: ${leg.from.name} → ${leg.to.name} (${durationOf(leg)}${late})`;
}

/** The minutes between the times as they are shown, so that a line does not contradict itself; seconds if there are none. */
function durationOf({ startTime, endTime }: { startTime: number; endTime: number }): string {
  const minutes = Math.floor(endTime / 60) - Math.floor(startTime / 60);
  return minutes === 0 ? `${endTime - startTime} s` : duration(minutes * 60);
}

function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return minutes === 0 ? `${Math.round(seconds)} s` : `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

function distance(metres: number): string {
  return metres < 999.5 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(1)} km`;
}

function price(fare: Fare): string {
  const { currency, cents } = money(fare, fare.cents);
  const { symbol, defaultFractionDigits: digits } = currency;
  return `${symbol} ${(cents / 10 ** digits).toFixed(digits)}`;
}
