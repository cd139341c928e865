/** /stops/{stopId}/stoptimes: the calls at a stop from a moment on, or on a day. */

import type { Graph, StopTimes } from '../../../native/types.js';
import { type CallsWithTexts, presentStopTimes } from '../../../serialization/index-stop-times.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Route } from '../../route.js';
import { requestedStop } from './entities.js';
import { type IndexRequest, indexRoute, UnusableParameters, usable } from './index-route.js';

const OMIT = parameters({
  omitNonPickups: parameter.boolean('Leave out calls where travellers cannot board', { default: false }),
});

const UPCOMING = {
  ...parameters({
    startTime: parameter.integer('Epoch seconds; 0 for now', { default: 0 }),
    timeRange: parameter.integer(
      'Seconds; patterns without service from `startTime` to `startTime + timeRange` are left out',
      { default: 86_400 },
    ),
    numberOfDepartures: parameter.integer('Calls per pattern; larger numbers are reduced to 10000', { default: 2 }),
  }),
  ...OMIT,
};

/** Most calls per pattern that one request returns. */
const MOST_DEPARTURES = 10_000;

export const stopTimesRoutes: readonly Route[] = [
  indexRoute('/stops/:stopId/stoptimes', 'StopTimes', 'Next calls at a stop', upcoming, {
    query: UPCOMING,
    moving: true,
  }),
  indexRoute('/stops/:stopId/stoptimes/:date', 'StopTimes', 'Calls at a stop on a day, `YYYYMMDD`', onDate, {
    query: OMIT,
    moving: true,
  }),
];

function upcoming(graph: Graph, request: IndexRequest) {
  const { query } = request;
  const stop = requestedStop(request);
  const period = usable(() => ({
    startTime: query.value(UPCOMING.startTime) || Math.floor(Date.now() / 1000),
    timeRange: query.value(UPCOMING.timeRange),
    numberOfDepartures: Math.min(query.value(UPCOMING.numberOfDepartures), MOST_DEPARTURES),
    omitNonPickups: query.value(OMIT.omitNonPickups),
  }));
  return present(graph, graph.stopTimesSync(Uint32Array.of(stop), period));
}

function onDate(graph: Graph, request: IndexRequest) {
  const { path, query } = request;
  const stop = requestedStop(request);
  const date = path.date ?? '';
  if (!/^\d{8}$/.test(date)) throw new UnusableParameters();
  return present(graph, graph.stopTimesOnDateSync(Uint32Array.of(stop), date, query.value(OMIT.omitNonPickups)));
}

/** Fewer calls than this are written without a pause. */
const FEW_CALLS = 200;

function present(graph: Graph, times: StopTimes) {
  const rows = presentStopTimes(withTexts(graph, times), graph.patternsSync(times.patterns));
  return times.trips.length < FEW_CALLS ? [...rows] : rows;
}

/** Calls with their texts and the boundaries of their service areas. */
export function withTexts(graph: Graph, times: StopTimes): CallsWithTexts {
  const texts = graph.callTextsSync(times.trips, times.stops, times.positions);
  const areas = Uint32Array.from(new Set(times.serviceAreas.filter((area) => area >= 0)));
  if (areas.length === 0) return { times, texts, areas: new Map() };
  const boundaries = graph.flexAreaBoundariesSync(areas);
  return { times, texts, areas: new Map(boundaries.map((line, i) => [areas[i] ?? 0, line])) };
}
