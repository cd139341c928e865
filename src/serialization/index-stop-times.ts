/** Calls at stops as the interface writes them. Member order is part of the interface. */

import type { CallTexts, IndexPattern, StopTimes } from '../native/types.js';
import { presentPatternShort } from './index-entities.js';

/** What live data made of a trip, in the order of the addon's numbers. */
export const REALTIME_STATES = ['SCHEDULED', 'UPDATED', 'CANCELED', 'ADDED', 'MODIFIED'] as const;

/** GTFS-flex: no continuous pickup or drop-off. */
const NO_CONTINUOUS_STOPPING = 1;

/** The calls of each pattern at one stop; `patterns` has a pattern for each group. */
export function presentStopTimes(times: StopTimes, texts: CallTexts, patterns: readonly IndexPattern[]) {
  return patterns.map((pattern, group) => ({
    pattern: presentPatternShort(pattern),
    times: range(times.callOffsets, group).map((call) => presentCall(times, texts, call, true)),
  }));
}

/** The calls of one trip; they name neither the trip nor a day. */
export function presentTripCalls(times: StopTimes, texts: CallTexts) {
  return range(times.callOffsets, 0).map((call) => presentCall(times, texts, call, false));
}

function range(offsets: Uint32Array, at: number): number[] {
  const from = offsets[at] ?? 0;
  return Array.from({ length: (offsets[at + 1] ?? from) - from }, (_, i) => from + i);
}

function presentCall(times: StopTimes, texts: CallTexts, call: number, named: boolean) {
  const scheduledArrival = times.scheduledArrivals[call] ?? 0;
  const scheduledDeparture = times.scheduledDepartures[call] ?? 0;
  const realtimeArrival = times.realtimeArrivals[call] ?? 0;
  const realtimeDeparture = times.realtimeDepartures[call] ?? 0;
  const state = times.states[call] ?? 0;
  return {
    stopId: texts.stopIds[call],
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
    serviceDay: times.serviceDays[call],
    tripId: named ? texts.tripIds[call] : undefined,
    blockId: texts.blockIds[call] || undefined,
    headsign: texts.headsigns[call] || undefined,
    continuousPickup: NO_CONTINUOUS_STOPPING,
    continuousDropOff: NO_CONTINUOUS_STOPPING,
    serviceAreaRadius: 0,
    stopSequence: times.sequences[call],
  };
}
