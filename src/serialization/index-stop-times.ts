/** Calls at stops as the interface writes them. Member order is part of the interface. */

import type { CallTexts, IndexPattern, Polyline, StopTimes } from '../native/types.js';
import { presentPatternShort } from './index-entities.js';

/** How live data changed a trip, in the order of the addon's numbers. */
export const REALTIME_STATES = ['SCHEDULED', 'UPDATED', 'CANCELED', 'ADDED', 'MODIFIED'] as const;

/** Calls with their labels. */
export interface LabelledCalls {
  readonly times: StopTimes;
  readonly texts: CallTexts;
  /** Boundaries of the service areas that the calls name, by area. */
  readonly areas: ReadonlyMap<number, Polyline>;
}

/** The calls of each pattern at one stop; `patterns` has a pattern for each group. */
export function* presentStopTimes(calls: LabelledCalls, patterns: readonly IndexPattern[]) {
  for (const [group, pattern] of patterns.entries()) {
    const times = range(calls.times.callOffsets, group).map((call) => presentCall(calls, call, true));
    yield { pattern: presentPatternShort(pattern), times };
  }
}

/** The calls of one trip; they contain neither the trip nor its day. */
export function presentTripCalls(calls: LabelledCalls) {
  return range(calls.times.callOffsets, 0).map((call) => presentCall(calls, call, false));
}

/** The text of a call in a column of labels; undefined where there is none. */
export function callText({ texts }: CallTexts, column: Uint32Array, call: number): string | undefined {
  return texts[column[call] ?? 0] || undefined;
}

/** A call outside all service areas. */
const NO_AREA = -1;

function range(offsets: Uint32Array, at: number): number[] {
  const from = offsets[at] ?? 0;
  return Array.from({ length: (offsets[at + 1] ?? from) - from }, (_, i) => from + i);
}

function presentCall({ times, texts, areas }: LabelledCalls, call: number, named: boolean) {
  const scheduledArrival = times.scheduledArrivals[call] ?? 0;
  const scheduledDeparture = times.scheduledDepartures[call] ?? 0;
  const realtimeArrival = times.realtimeArrivals[call] ?? 0;
  const realtimeDeparture = times.realtimeDepartures[call] ?? 0;
  const state = times.states[call] ?? 0;
  return {
    stopId: callText(texts, texts.stopIds, call),
    stopIndex: times.positions[call],
    stopCount: times.counts[call],
    scheduledArrival,
    scheduledDeparture,
    realtimeArrival,
    realtimeDeparture,
    arrivalDelay: realtimeArrival - scheduledArrival,
    departureDelay: realtimeDeparture - scheduledDeparture,
    timepoint: times.timepoints[call] === 1,
    realtime: state !== 0,
    realtimeState: REALTIME_STATES[state],
    serviceDay: named ? times.serviceDays[call] : 0,
    tripId: named ? callText(texts, texts.tripIds, call) : undefined,
    blockId: callText(texts, texts.blockIds, call),
    headsign: callText(texts, texts.headsigns, call),
    continuousPickup: times.continuousPickups[call],
    continuousDropOff: times.continuousDropOffs[call],
    serviceAreaRadius: times.serviceAreaRadii[call],
    serviceArea: areas.get(times.serviceAreas[call] ?? NO_AREA)?.points,
    stopSequence: times.sequences[call],
  };
}
