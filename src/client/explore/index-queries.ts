/** Queries of Explore to the transit index. */

import type { RouterApi } from '../api/server.js';
import { eachOnce } from './groups.js';
import type {
  DayOfPattern,
  FoundStop,
  LineDetails,
  LinePattern,
  LineShort,
  StopDetails,
  TripDetails,
} from './index-answers.js';

const LINE = 'gtfsId shortName longName mode color textColor agency { gtfsId }';
const TIMES = 'scheduledDeparture realtimeDeparture realtime realtimeState serviceDay';
const CALLS = `stoptimesWithoutPatterns(startTime: $start, timeRange: 86400, numberOfDepartures: 40, omitNonPickups: true) {
  ${TIMES} headsign trip { gtfsId tripHeadsign route { ${LINE} } }
}`;

/** Stops or stations and their departures from a time on; null if all ids are unknown. */
export async function askStops(api: RouterApi, ids: readonly string[], startSeconds: number, signal: AbortSignal) {
  const query = `query($ids: [String], $start: String) { stops(ids: $ids) {
    gtfsId name code platformCode desc lat lon wheelchairBoarding parentStation { gtfsId }
    routes { ${LINE} } calls: ${CALLS}
    stops { gtfsId platformCode routes { ${LINE} } calls: ${CALLS} }
  } }`;
  const variables = { ids, start: String(startSeconds) };
  const { stops } = await api.graphql<{ stops: Array<StopDetails | null> }>(query, variables, signal);
  const known = stops.filter((stop) => stop !== null);
  return known.length === 0 ? null : known;
}

/** Stops and stations whose names begin with a text, the best match first; a station once instead of its platforms. */
export async function askStopsNamed(api: RouterApi, text: string, signal: AbortSignal): Promise<FoundStop[]> {
  const ids = await api.stopsNamed(text, signal);
  const query = `query($ids: [String]) { stops(ids: $ids) {
    gtfsId name code lat lon routes { ${LINE} } parentStation { gtfsId name code lat lon }
  } }`;
  interface Named extends FoundStop {
    parentStation: Omit<FoundStop, 'routes'> | null;
  }
  const { stops } = await api.graphql<{ stops: Array<Named | null> }>(query, { ids }, signal);
  const found = new Map<string, FoundStop>();
  for (const stop of stops.filter((one) => one !== null)) {
    const { gtfsId, name, code, lat, lon } = stop.parentStation ?? stop;
    const routes = eachOnce([...(found.get(gtfsId)?.routes ?? []), ...stop.routes]);
    found.set(gtfsId, { gtfsId, name, code, lat, lon, routes });
  }
  return [...found.values()];
}

/** A line; null for an unknown id. */
export async function askLine(api: RouterApi, id: string, signal: AbortSignal) {
  const query = `query($id: String!) { route(id: $id) {
    ${LINE} desc agency { name }
    patterns { code headsign geometry { lat lon } stops { gtfsId name lat lon } trips { gtfsId } }
  } }`;
  return (await api.graphql<{ route: LineDetails | null }>(query, { id }, signal)).route;
}

/** Lines by their ids, without unknown ones. */
export async function askLines(api: RouterApi, ids: readonly string[] | undefined, signal: AbortSignal) {
  const query = `query($ids: [String]) { routes(ids: $ids) { ${LINE} } }`;
  const { routes } = await api.graphql<{ routes: Array<LineShort | null> }>(query, { ids }, signal);
  return routes.filter((line) => line !== null);
}

/** A trip on a day, `20261123`; null for an unknown id. */
export async function askTrip(api: RouterApi, id: string, day: string, signal: AbortSignal) {
  const query = `query($id: String!, $day: String) { trip(id: $id) {
    gtfsId tripHeadsign tripShortName wheelchairAccessible bikesAllowed semanticHash route { ${LINE} }
    pattern { geometry { lat lon } }
    calls: stoptimesForDate(serviceDay: $day) { ${TIMES} headsign stop { gtfsId name lat lon } }
  } }`;
  return (await api.graphql<{ trip: TripDetails | null }>(query, { id, day }, signal)).trip;
}

/** Most runs of a day; there is hardly one each minute. */
const MOST_RUNS = 1500;

/** The calls of a pattern on a day, `20261123`, which begins at a time in epoch seconds. */
export async function askTimetable(
  api: RouterApi,
  line: LinePattern,
  day: string,
  startSeconds: number,
  signal: AbortSignal,
): Promise<DayOfPattern> {
  const query = `query($code: String!, $stop: String!, $day: String) {
    pattern(id: $code) { trips { gtfsId semanticHash
      calls: stoptimesForDate(serviceDay: $day) { scheduledDeparture realtimeDeparture realtime }
    } }
    stop(id: $stop) { stoptimesForServiceDate(date: $day) {
      pattern { code } stoptimes { scheduledDeparture trip { gtfsId } }
    } }
  }`;
  interface Answer {
    pattern: { trips: Array<DayOfPattern['trips'][number] & { semanticHash: string | null }> } | null;
    stop: {
      stoptimesForServiceDate: Array<{
        pattern: { code: string };
        stoptimes: Array<{ scheduledDeparture: number; trip: { gtfsId: string } }>;
      }>;
    } | null;
  }
  const { code, stops } = line;
  const { pattern, stop } = await api.graphql<Answer>(query, { code, stop: stops[0]?.gtfsId ?? '', day }, signal);
  const calls = stop?.stoptimesForServiceDate.find((listed) => listed.pattern.code === code)?.stoptimes ?? [];
  const trips = pattern?.trips ?? [];
  const frequent = new Set(trips.filter(({ semanticHash }) => semanticHash === null).map(({ gtfsId }) => gtfsId));
  const runs = frequent.size > 0 ? await askRuns(api, line, startSeconds, signal) : [];
  const departures = calls.map((call) => ({ trip: call.trip.gtfsId, departure: call.scheduledDeparture }));
  return { trips, departures: [...departures, ...runs.filter(({ trip }) => frequent.has(trip))] };
}

/** The runs of a pattern on a day. The calls of a day leave out those of trips with frequencies. */
async function askRuns(
  api: RouterApi,
  { code, stops }: LinePattern,
  startSeconds: number,
  signal: AbortSignal,
): Promise<DayOfPattern['departures']> {
  const query = `query($stop: String!, $start: String) { stop(id: $stop) {
    stoptimesForPatterns(startTime: $start, timeRange: 172800, numberOfDepartures: ${MOST_RUNS}, omitNonPickups: true) {
      pattern { code } stoptimes { scheduledDeparture serviceDay trip { gtfsId } }
    }
  } }`;
  interface Answer {
    stop: {
      stoptimesForPatterns: Array<{
        pattern: { code: string };
        stoptimes: Array<{ scheduledDeparture: number; serviceDay: number; trip: { gtfsId: string } }>;
      }>;
    } | null;
  }
  const variables = { stop: stops[0]?.gtfsId ?? '', start: String(startSeconds) };
  const { stop } = await api.graphql<Answer>(query, variables, signal);
  const calls = stop?.stoptimesForPatterns.find((listed) => listed.pattern.code === code)?.stoptimes ?? [];
  // The day of an agency in another time zone begins some hours earlier or later.
  const isOfDay = ({ serviceDay }: { serviceDay: number }) => Math.abs(serviceDay - startSeconds) < 43_200;
  const runs = calls.filter(isOfDay).map((call) => ({ trip: call.trip.gtfsId, departure: call.scheduledDeparture }));
  // The last run of one headway may be the first of the next.
  return [...new Map(runs.map((run) => [`${run.trip} ${run.departure}`, run])).values()];
}
