/** Departures at stops and the columns of timetables, from the answers of the index. */

import type { AlertPatch } from '../../serialization/answers/index.js';
import { localDateTime } from '../text/format.js';
import { eachOnce } from './groups.js';
import type { Call, DayOfPattern, StopDetails, TimetableCall } from './index-answers.js';

/**
 * The time of the service day, in seconds, that stands for "no live time" in the index, for example at stops that have
 * been passed.
 */
const NO_TIME = -1;

/** How punctual a departure is. */
type Punctuality = 'scheduled' | 'punctual' | 'late' | 'early' | 'canceled';

/** A difference below this counts as punctual, seconds. */
const TOLERANCE_SECONDS = 60;

/** The time of a call, epoch milliseconds: by live data if there is any. */
export function departureOf({ serviceDay, scheduledDeparture, realtimeDeparture }: Omit<Call, 'trip'>): number {
  return (serviceDay + (realtimeDeparture === NO_TIME ? scheduledDeparture : realtimeDeparture)) * 1000;
}

/** The scheduled time of a call, epoch milliseconds. */
export function scheduledOf({ serviceDay, scheduledDeparture }: Omit<Call, 'trip'>): number {
  return (serviceDay + scheduledDeparture) * 1000;
}

/** How punctual a call is. */
export function punctuality(call: Omit<Call, 'trip'>): Punctuality {
  if (call.realtimeState === 'CANCELED') return 'canceled';
  if (!call.realtime || call.realtimeDeparture === NO_TIME) return 'scheduled';
  const delay = call.realtimeDeparture - call.scheduledDeparture;
  if (Math.abs(delay) < TOLERANCE_SECONDS) return 'punctual';
  return delay > 0 ? 'late' : 'early';
}

/** Whether an alert about a trip or its line is about this trip on a service day such as `2026-11-23`. */
export function isAboutTrip(
  alert: Pick<AlertPatch, 'trip' | 'serviceDate' | 'startTime'>,
  trip: { gtfsId: string; semanticHash: string | null; calls: ReadonlyArray<Pick<Call, 'scheduledDeparture'>> },
  date: string,
): boolean {
  if (alert.serviceDate !== undefined && alert.serviceDate !== date.replaceAll('-', '')) return false;
  // The runs of a trip with frequencies all have the same calls here, and the alert names the one that it is about.
  if (alert.startTime === undefined || alert.trip === trip.gtfsId || trip.semanticHash === null) return true;
  const [first] = trip.calls;
  return first === undefined || alert.startTime === first.scheduledDeparture;
}

const HALF_DAY_SECONDS = 43_200;

/** The date of the service day that a call belongs to, which after midnight is that of the day before. */
export function serviceDate({ serviceDay }: Pick<Call, 'serviceDay'>, timeZone: string): string {
  // Service days begin 12 hours before noon, which is not midnight on days when clocks change.
  return localDateTime((serviceDay + HALF_DAY_SECONDS) * 1000, timeZone).date;
}

/** A departure with its platform, if it is at a station, and the code of its stop, if there are several. */
export interface Departure {
  readonly call: Call;
  /** Id of the stop or platform. */
  readonly stop: string;
  readonly platform: string | undefined;
  readonly stopCode: string | undefined;
}

/**
 * The next departures of stops, or of all platforms of stations, by time. A run that leaves two of them in one minute is
 * shown once, at the first one.
 */
export function departuresOf(stops: readonly StopDetails[], most: number): Departure[] {
  const all = stops.flatMap((stop) => {
    const stopCode = stops.length > 1 ? (stop.code ?? undefined) : undefined;
    const own = stop.calls.map((call) => ({ call, stop: stop.gtfsId, platform: undefined, stopCode }));
    const platforms = (stop.stops ?? []).flatMap(({ gtfsId, platformCode, calls }) =>
      calls.map((call) => ({ call, stop: gtfsId, platform: platformCode ?? undefined, stopCode })),
    );
    return own.length > 0 ? own : platforms;
  });
  all.sort((one, other) => departureOf(one.call) - departureOf(other.call));
  const first = new Map<string, string>();
  const shown = all.filter(({ call, stop }) => {
    const minute = `${call.trip.gtfsId} ${call.serviceDay} ${Math.floor(departureOf(call) / 60_000)}`;
    // Runs of a trip with frequencies may leave one stop several times in a minute.
    if (!first.has(minute)) first.set(minute, stop);
    return first.get(minute) === stop;
  });
  return shown.slice(0, most);
}

/** Lines of stops, or of all platforms of stations, each once. */
export function linesOf(all: readonly StopDetails[]): StopDetails['routes'] {
  return eachOnce(all.flatMap(({ routes, stops }) => [...routes, ...(stops ?? []).flatMap((part) => part.routes)]));
}

/** A run in a timetable: seconds of the service day at each stop. */
interface TimetableColumn {
  readonly trip: string;
  readonly times: ReadonlyArray<{ readonly seconds: number; readonly live: boolean }>;
}

/**
 * The runs of a day by their time at the first stop. Runs of trips with frequencies are the trip, shifted to their
 * departures.
 */
export function timetableColumns({ trips, departures }: DayOfPattern): TimetableColumn[] {
  const byId = new Map(trips.map((trip) => [trip.gtfsId, trip.calls]));
  return departures
    .toSorted((one, other) => one.departure - other.departure)
    .flatMap(({ trip, departure }) => {
      const calls = byId.get(trip);
      const first = calls?.[0];
      if (!calls || !first) return [];
      const moved = departure - first.scheduledDeparture;
      return [{ trip, times: calls.map((call) => ({ seconds: timeOf(call) + moved, live: call.realtime })) }];
    });
}

function timeOf({ realtime, realtimeDeparture, scheduledDeparture }: TimetableCall): number {
  return realtime && realtimeDeparture !== NO_TIME ? realtimeDeparture : scheduledDeparture;
}

/** Position of the first run that leaves at a time of day, `08:05`, or later; -1 if none does. */
export function firstFrom(columns: readonly TimetableColumn[], time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const from = (hours * 60 + minutes) * 60;
  return columns.findIndex(({ times }) => (times[0]?.seconds ?? 0) >= from);
}

const DAY_MINUTES = 1440;

/** `08:05` for seconds of a service day, which may be before its midnight or after the next one. */
export function timeOfDay(seconds: number): string {
  const minutes = ((Math.floor(seconds / 60) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
