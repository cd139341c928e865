/** Calls at stops as the interface writes them. Member order is part of the interface. */

import { range } from '../native/list-range.js';
import type { CallTexts, IndexPattern, Polyline, StopTimes } from '../native/types.js';
import type { StopTime, StopTimesInPattern } from './answers/index.js';
import { presentPatternShort } from './index-entities.js';
import type { Written } from './written.js';

/** How live data changed a trip, in the order of the addon's numbers. */
export const REALTIME_STATES = ['SCHEDULED', 'UPDATED', 'CANCELED', 'ADDED', 'MODIFIED'] as const;

/** Calls with their texts and the boundaries of their service areas. */
export interface CallsWithTexts {
  readonly times: StopTimes;
  readonly texts: CallTexts;
  /** Boundaries of the service areas that the calls name, by area. */
  readonly areas: ReadonlyMap<number, Polyline>;
}

/** The calls of each pattern at one stop; `patterns` has a pattern for each group. */
export function* presentStopTimes(
  calls: CallsWithTexts,
  patterns: readonly IndexPattern[],
): Generator<Written<StopTimesInPattern>> {
  for (const [group, pattern] of patterns.entries()) {
    const times = range(calls.times.callOffsets, group).map((call) => presentCall(calls, call, true));
    yield { pattern: presentPatternShort(pattern), times };
  }
}

/** The calls of one trip; they contain neither the trip nor its day. */
export function presentTripCalls(calls: CallsWithTexts) {
  return range(calls.times.callOffsets, 0).map((call) => presentCall(calls, call, false));
}

/** The text of a call in a column of texts; undefined where there is none. */
export function callText({ texts }: CallTexts, column: Uint32Array, call: number): string | undefined {
  return texts[column[call] ?? 0] || undefined;
}

/** A call outside all service areas. */
const NO_AREA = -1;

function presentCall({ times, texts, areas }: CallsWithTexts, call: number, named: boolean): Written<StopTime> {
  const at = (column: ArrayLike<number>) => column[call] ?? 0;
  const scheduledArrival = at(times.scheduledArrivals);
  const scheduledDeparture = at(times.scheduledDepartures);
  const realtimeArrival = at(times.realtimeArrivals);
  const realtimeDeparture = at(times.realtimeDepartures);
  const state = at(times.states);
  return {
    stopId: callText(texts, texts.stopIds, call),
    stopIndex: at(times.positions),
    stopCount: at(times.counts),
    scheduledArrival,
    scheduledDeparture,
    realtimeArrival,
    realtimeDeparture,
    arrivalDelay: realtimeArrival - scheduledArrival,
    departureDelay: realtimeDeparture - scheduledDeparture,
    timepoint: at(times.timepoints) === 1,
    realtime: state !== 0,
    realtimeState: REALTIME_STATES[state] ?? 'SCHEDULED',
    serviceDay: named ? at(times.serviceDays) : 0,
    tripId: named ? callText(texts, texts.tripIds, call) : undefined,
    blockId: callText(texts, texts.blockIds, call),
    headsign: callText(texts, texts.headsigns, call),
    continuousPickup: at(times.continuousPickups),
    continuousDropOff: at(times.continuousDropOffs),
    serviceAreaRadius: at(times.serviceAreaRadii),
    serviceArea: areas.get(times.serviceAreas[call] ?? NO_AREA)?.points,
    stopSequence: at(times.sequences),
  };
}
