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

/** The calls of a pattern on a day, `20261123`. */
export async function askTimetable(
  api: RouterApi,
  { code, stops }: LinePattern,
  day: string,
  signal: AbortSignal,
): Promise<DayOfPattern> {
  const query = `query($code: String!, $stop: String!, $day: String) {
    pattern(id: $code) { trips { gtfsId
      calls: stoptimesForDate(serviceDay: $day) { scheduledDeparture realtimeDeparture realtime }
    } }
    stop(id: $stop) { stoptimesForServiceDate(date: $day) {
      pattern { code } stoptimes { scheduledDeparture trip { gtfsId } }
    } }
  }`;
  interface Answer {
    pattern: { trips: DayOfPattern['trips'] } | null;
    stop: {
      stoptimesForServiceDate: Array<{
        pattern: { code: string };
        stoptimes: Array<{ scheduledDeparture: number; trip: { gtfsId: string } }>;
      }>;
    } | null;
  }
  const { pattern, stop } = await api.graphql<Answer>(query, { code, stop: stops[0]?.gtfsId ?? '', day }, signal);
  const calls = stop?.stoptimesForServiceDate.find((listed) => listed.pattern.code === code)?.stoptimes ?? [];
  return {
    trips: pattern?.trips ?? [],
    departures: calls.map((call) => ({ trip: call.trip.gtfsId, departure: call.scheduledDeparture })),
  };
}
