/** Facts that the page reads from itineraries. */

import type { Alert, Itinerary, Leg, Place } from '../api/answers.js';

/** Identifies an itinerary among others of the same search, even when the search is repeated. */
export function itineraryKey({ startTime, endTime, legs }: Itinerary): string {
  const minutes = (ms: number) => Math.round(ms / 60_000).toString(36);
  const routes = legs.filter(({ transitLeg }) => transitLeg).map(({ route }) => route.replace(/\W/g, ''));
  return [minutes(startTime), minutes(endTime), ...routes].join('.');
}

/** Metres in some modes; rented bicycles and one's own are the same mode. */
export function metresIn({ legs }: Itinerary, mode: string): number {
  return legs.filter((leg) => leg.mode === mode).reduce((sum, { distance }) => sum + distance, 0);
}

/** Whether any leg is in a vehicle with a timetable. */
export function usesTransit({ legs }: Itinerary): boolean {
  return legs.some(({ transitLeg }) => transitLeg);
}

/** All alerts, each once. */
export function alertsOf({ legs }: Itinerary): Alert[] {
  const seen = new Map<string, Alert>();
  for (const alert of legs.flatMap(({ alerts }) => alerts ?? [])) {
    seen.set(`${alert.alertHeaderText}${alert.alertDescriptionText}`, alert);
  }
  return [...seen.values()];
}

/** The ends of one of the legs of an itinerary where the traveller gets on or off. A bicycle may also be pushed for a while. */
export function changesOf(leg: Leg, legs: readonly Leg[]): Place[] {
  if (leg.transitLeg) return [leg.from, leg.to];
  const next = legs[legs.indexOf(leg) + 1];
  // At a place on the way, a car drives on.
  if (leg.mode === 'CAR') return next && next.mode !== 'CAR' ? [leg.to] : [];
  if (leg.mode !== 'BICYCLE') return [];
  return [leg.from, leg.to].filter(({ vertexType }) => vertexType === 'BIKESHARE' || vertexType === 'BIKEPARK');
}

/** What travellers do between two legs. */
type Pause = 'wait' | 'getOff' | 'rent' | 'giveBack' | 'park' | 'pause';

/** What takes the time between two legs; `pause` where the answer does not say it. */
export function pauseBetween(before: Leg, leg: Leg): Pause {
  if (leg.transitLeg) return 'wait';
  if (before.transitLeg) return 'getOff';
  if (leg.rentedBike) return 'rent';
  if (before.rentedBike) return 'giveBack';
  // Cars stop only to be parked: where a passenger gets out, no time passes. Bicycles are also pushed for a while.
  return before.mode === 'CAR' || before.to.vertexType === 'BIKEPARK' ? 'park' : 'pause';
}

/** Earliest start and latest end; undefined without itineraries. */
export function timeSpan(itineraries: readonly Itinerary[]): { from: number; to: number } | undefined {
  if (itineraries.length === 0) return undefined;
  return {
    from: Math.min(...itineraries.map(({ startTime }) => startTime)),
    to: Math.max(...itineraries.map(({ endTime }) => endTime)),
  };
}

/** Both lists without duplicates, in the order of departure. */
export function merged(one: readonly Itinerary[], other: readonly Itinerary[]): Itinerary[] {
  const byKey = new Map([...one, ...other].map((itinerary) => [itineraryKey(itinerary), itinerary]));
  return [...byKey.values()].sort((a, b) => a.startTime - b.startTime || a.endTime - b.endTime);
}

/** An elevation profile along street legs of an itinerary that are connected. */
export interface HeightProfile {
  /** Metres from the start, and above sea level. */
  readonly points: ReadonlyArray<readonly [along: number, height: number]>;
  readonly length: number;
}

/** The elevations along a street leg; undefined where they are unknown. */
export function heightsOf({ steps }: Leg): HeightProfile | undefined {
  const points: Array<[number, number]> = [];
  let start = 0;
  for (const { distance, elevation } of steps) {
    for (const { first, second } of elevation) points.push([start + Math.min(first, distance), second]);
    start += distance;
  }
  return points.length < 2 ? undefined : { points, length: start };
}
