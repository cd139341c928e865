/** One itinerary as text: a summary that unfolds into legs, steps, fares and alerts. */

import type { Alert, Itinerary, Leg, Money, Place } from '../api/answers.js';
import { element } from '../dom.js';
import { legColor } from '../map/itinerary-layer.js';
import { clockTime, distance, duration, instruction, modeName, price } from '../text/format.js';

/** The parts of the summary line of an itinerary. */
export function itinerarySummary(itinerary: Itinerary): HTMLElement {
  const offset = itinerary.legs[0]?.agencyTimeZoneOffset ?? 0;
  const chips = itinerary.legs.filter(({ transitLeg, distance: far }) => transitLeg || far > 50).map(chip);
  const transfers =
    itinerary.transfers > 0 ? `${itinerary.transfers} transfer${itinerary.transfers > 1 ? 's' : ''}` : '';
  const facts = [transfers, ...fares(itinerary), `${distance(itinerary.walkDistance)} on foot or by bike`];
  return element(
    'span',
    { class: 'summary' },
    element(
      'span',
      { class: 'times' },
      element('b', {}, `${clockTime(itinerary.startTime, offset)} – ${clockTime(itinerary.endTime, offset)}`),
      element('span', { class: 'long' }, duration(itinerary.duration)),
    ),
    element('span', { class: 'chips' }, ...chips),
    element('span', { class: 'facts' }, facts.filter((fact) => fact !== '').join(' · ')),
  );
}

/** The legs of an itinerary in order. */
export function itineraryLegs(itinerary: Itinerary): HTMLElement {
  return element('ol', { class: 'legs' }, ...itinerary.legs.map(legItem));
}

function chip(leg: Leg): HTMLElement {
  const name = leg.transitLeg ? leg.route || modeName(leg.mode) : modeName(leg.mode);
  const made = element('span', { class: leg.transitLeg ? 'chip transit' : 'chip', title: modeName(leg.mode) }, name);
  if (leg.transitLeg) made.style.borderColor = legColor(leg);
  return made;
}

function fares(itinerary: Itinerary): string[] {
  const prices: Record<string, Money> = itinerary.fare?.fare ?? {};
  const regular = prices.regular;
  return regular ? [price(regular)] : Object.entries(prices).map(([type, money]) => `${type} ${price(money)}`);
}

function legItem(leg: Leg): HTMLElement {
  const offset = leg.agencyTimeZoneOffset;
  const item = element(
    'li',
    { class: leg.transitLeg ? 'leg transit' : 'leg' },
    element('div', { class: 'end-line' }, element('time', {}, clockTime(leg.startTime, offset)), placeName(leg.from)),
    element('div', { class: 'ride' }, ...(leg.transitLeg ? transitLines(leg) : streetLines(leg))),
    ...(leg.alerts ?? []).map(alertBox),
    element('div', { class: 'end-line' }, element('time', {}, clockTime(leg.endTime, offset)), placeName(leg.to)),
  );
  item.style.borderColor = legColor(leg);
  return item;
}

function placeName(place: Place): string {
  const platform = place.platformCode === undefined ? '' : `, platform ${place.platformCode}`;
  return ` ${place.name}${platform}`;
}

function transitLines(leg: Leg): HTMLElement[] {
  const title = [leg.routeShortName, leg.routeLongName].filter((name) => name).join(' ') || leg.route;
  const towards = leg.headsign ? ` towards ${leg.headsign}` : '';
  const delay = leg.realTime ? `, ${lateness(leg.departureDelay)}` : '';
  const lines = [
    element('b', {}, `${modeName(leg.mode)} ${title}`),
    element('div', {}, `${towards.trim()} ${duration(leg.duration)}${delay}`.trim()),
    element('div', { class: 'facts' }, leg.agencyName ?? ''),
  ];
  const stops = leg.intermediateStops ?? [];
  if (stops.length === 0) return lines;
  const times = stops.map((stop) =>
    element('li', {}, `${clockTime(stop.arrival ?? leg.startTime, leg.agencyTimeZoneOffset)} ${stop.name}`),
  );
  const label = `${stops.length} stop${stops.length > 1 ? 's' : ''} between`;
  return [...lines, element('details', {}, element('summary', {}, label), element('ol', {}, ...times))];
}

function lateness(seconds: number): string {
  if (Math.abs(seconds) < 30) return 'on time';
  return `${duration(Math.abs(seconds))} ${seconds > 0 ? 'late' : 'early'}`;
}

function streetLines(leg: Leg): HTMLElement[] {
  const title = `${modeName(leg.mode)} ${distance(leg.distance)}, ${duration(leg.duration)}`;
  if (leg.steps.length === 0) return [element('b', {}, title)];
  const steps = leg.steps.map((step) => element('li', {}, `${instruction(step)} (${distance(step.distance)})`));
  return [element('details', {}, element('summary', {}, title), element('ol', {}, ...steps))];
}

function alertBox(alert: Alert): HTMLElement {
  const safe = /^https?:\/\//.test(alert.alertUrl ?? '');
  return element(
    'div',
    { class: 'alert', role: 'note' },
    element('b', {}, alert.alertHeaderText ?? 'Notice'),
    alert.alertDescriptionText === undefined ? undefined : element('div', {}, alert.alertDescriptionText),
    safe ? element('a', { href: alert.alertUrl, rel: 'noopener noreferrer', target: '_blank' }, 'More') : undefined,
  );
}
