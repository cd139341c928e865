/** Queries of Explore to the transit index, and their answers. Times of calls are seconds of the service day. */

import type { RouterApi } from '../api/server.js';

/** A route as badges show it. */
export interface LineShort {
  gtfsId: string;
  shortName: string | null;
  longName: string | null;
  mode: string;
  color: string | null;
  textColor: string | null;
}

/** A call at a stop. */
export interface Call {
  scheduledDeparture: number;
  realtimeDeparture: number;
  scheduledArrival: number;
  realtimeArrival: number;
  realtime: boolean;
  realtimeState: string;
  /** Epoch seconds. */
  serviceDay: number;
  headsign: string | null;
  trip: { gtfsId: string; tripHeadsign: string | null; route: LineShort };
}

/** A stop with its next departures. */
export interface StopDetails {
  gtfsId: string;
  name: string;
  code: string | null;
  platformCode: string | null;
  desc: string | null;
  url: string | null;
  lat: number;
  lon: number;
  wheelchairBoarding: string;
  parentStation: { gtfsId: string; name: string } | null;
  routes: LineShort[];
  calls: Call[];
  /** Platforms of a station. */
  stops: Array<{ gtfsId: string; platformCode: string | null; routes: LineShort[]; calls: Call[] }> | null;
}

/** A stop in the order of a pattern. */
export interface PatternStop {
  gtfsId: string;
  name: string;
  lat: number;
  lon: number;
}

/** Trips of a line with the same stops. */
export interface LinePattern {
  code: string;
  headsign: string | null;
  geometry: Array<{ lat: number; lon: number }> | null;
  stops: PatternStop[];
  trips: Array<{ gtfsId: string }>;
}

/** A line with its patterns. */
export interface LineDetails extends LineShort {
  desc: string | null;
  url: string | null;
  agency: { name: string } | null;
  patterns: LinePattern[];
}

/** A trip with its calls on a day. */
export interface TripDetails {
  gtfsId: string;
  tripHeadsign: string | null;
  tripShortName: string | null;
  wheelchairAccessible: string;
  bikesAllowed: string;
  route: LineShort;
  pattern: { code: string; geometry: LinePattern['geometry'] } | null;
  calls: Array<Omit<Call, 'trip'> & { stop: PatternStop }>;
}

/** The calls of a pattern on a day, from which the timetable is made. */
export interface DayOfPattern {
  /** Every trip of the pattern, even those of other days. */
  trips: Array<{ gtfsId: string; calls: TimetableCall[] }>;
  /** Trips that leave the first stop on the day, with the time; trips with frequencies several times. */
  departures: Array<{ trip: string; departure: number; realtime: boolean }>;
}

export interface TimetableCall {
  scheduledArrival: number;
  scheduledDeparture: number;
  realtimeDeparture: number;
  realtime: boolean;
  realtimeState: string;
}

const LINE = 'gtfsId shortName longName mode color textColor';
const TIMES = 'scheduledArrival realtimeArrival scheduledDeparture realtimeDeparture realtime realtimeState serviceDay';
const CALLS = `stoptimesWithoutPatterns(startTime: $start, timeRange: 86400, numberOfDepartures: 40, omitNonPickups: true) {
  ${TIMES} headsign trip { gtfsId tripHeadsign route { ${LINE} } }
}`;

/** A stop or station and its departures from a time on; undefined for an unknown id. */
export async function askStop(api: RouterApi, id: string, startSeconds: number, signal: AbortSignal) {
  const query = `query($id: String!, $start: String) { stop(id: $id) {
    gtfsId name code platformCode desc url lat lon wheelchairBoarding parentStation { gtfsId name }
    routes { ${LINE} } calls: ${CALLS}
    stops { gtfsId platformCode routes { ${LINE} } calls: ${CALLS} }
  } }`;
  const variables = { id, start: String(startSeconds) };
  return (await api.graphql<{ stop: StopDetails | null }>(query, variables, signal)).stop ?? undefined;
}

/** A line; undefined for an unknown id. */
export async function askLine(api: RouterApi, id: string, signal: AbortSignal) {
  const query = `query($id: String!) { route(id: $id) {
    ${LINE} desc url agency { name }
    patterns { code headsign geometry { lat lon } stops { gtfsId name lat lon } trips { gtfsId } }
  } }`;
  return (await api.graphql<{ route: LineDetails | null }>(query, { id }, signal)).route ?? undefined;
}

/** Lines by their ids, without unknown ones. */
export async function askLines(api: RouterApi, ids: readonly string[] | undefined, signal: AbortSignal) {
  const query = `query($ids: [String]) { routes(ids: $ids) { ${LINE} } }`;
  const { routes } = await api.graphql<{ routes: Array<LineShort | null> }>(query, { ids }, signal);
  return routes.filter((line) => line !== null);
}

/** A trip on a day, `20261123`; undefined for an unknown id. */
export async function askTrip(api: RouterApi, id: string, day: string, signal: AbortSignal) {
  const query = `query($id: String!, $day: String) { trip(id: $id) {
    gtfsId tripHeadsign tripShortName wheelchairAccessible bikesAllowed route { ${LINE} }
    pattern { code geometry { lat lon } }
    calls: stoptimesForDate(serviceDay: $day) { ${TIMES} headsign stop { gtfsId name lat lon } }
  } }`;
  return (await api.graphql<{ trip: TripDetails | null }>(query, { id, day }, signal)).trip ?? undefined;
}

/** The calls of a pattern on a day, `20261123`. */
export async function askTimetable(
  api: RouterApi,
  { code, stops }: LinePattern,
  day: string,
  signal: AbortSignal,
): Promise<DayOfPattern> {
  const query = `query($code: String!, $stop: String!, $day: String) {
    pattern(id: $code) { trips { gtfsId
      calls: stoptimesForDate(serviceDay: $day) { scheduledArrival scheduledDeparture realtimeDeparture realtime realtimeState }
    } }
    stop(id: $stop) { stoptimesForServiceDate(date: $day) {
      pattern { code } stoptimes { scheduledDeparture realtimeDeparture realtime trip { gtfsId } }
    } }
  }`;
  interface Answer {
    pattern: { trips: DayOfPattern['trips'] } | null;
    stop: {
      stoptimesForServiceDate: Array<{
        pattern: { code: string };
        stoptimes: Array<{ scheduledDeparture: number; realtime: boolean; trip: { gtfsId: string } }>;
      }>;
    } | null;
  }
  const { pattern, stop } = await api.graphql<Answer>(query, { code, stop: stops[0]?.gtfsId ?? '', day }, signal);
  const calls = stop?.stoptimesForServiceDate.find((listed) => listed.pattern.code === code)?.stoptimes ?? [];
  return {
    trips: pattern?.trips ?? [],
    departures: calls.map((call) => ({
      trip: call.trip.gtfsId,
      departure: call.scheduledDeparture,
      realtime: call.realtime,
    })),
  };
}
