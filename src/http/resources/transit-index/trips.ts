/** /trips */

import type { Graph } from '../../../native/types.js';
import { presentTrip } from '../../../serialization/index-entities.js';
import { presentTripCalls } from '../../../serialization/index-stop-times.js';
import { dateOf } from '../../../zoned-time.js';
import type { Route } from '../../route.js';
import { agenciesOf, locate, only, relatedTo, shortStops } from './entities.js';
import { type IndexRequest, indexRoute } from './index-route.js';
import { geometry } from './patterns.js';
import { withTexts } from './stop-times.js';

const byId = (graph: Graph, { path }: IndexRequest) => locate(graph, 'trips', path.tripId ?? '');

export const tripRoutes: readonly Route[] = [
  indexRoute('/trips/:tripId', 'Trip', 'One trip', trip),
  indexRoute('/trips/:tripId/stops', 'Stops', 'Stops of a trip in order', (graph, request) =>
    shortStops(graph, relatedTo(graph, 'tripStops', byId(graph, request))),
  ),
  indexRoute(
    '/trips/:tripId/semanticHash',
    'unquoted text',
    'Hash of the stops, rules and times of a trip',
    (graph, request) => {
      const [hash = ''] = graph.tripHashesSync(Uint32Array.of(byId(graph, request)));
      return hash;
    },
  ),
  indexRoute(
    '/trips/:tripId/stoptimes',
    'TripCalls',
    "Times of a trip: the schedule's, and today's by live data",
    today,
    {
      moving: true,
    },
  ),
  indexRoute('/trips/:tripId/geometry', 'EncodedPolyline', 'Shape of the pattern of a trip', (graph, request) =>
    geometry(graph, found(graph, request).pattern),
  ),
];

/** The calls of a trip as they are today, whether or not it runs. */
function today(graph: Graph, request: IndexRequest) {
  const date = dateOf(Math.floor(Date.now() / 1000), graph).replaceAll('-', '');
  const times = graph.tripStopTimesSync(Uint32Array.of(byId(graph, request)), date);
  return presentTripCalls(withTexts(graph, times));
}

function found(graph: Graph, request: IndexRequest) {
  return only(graph.tripsSync(Uint32Array.of(byId(graph, request))));
}

function trip(graph: Graph, request: IndexRequest) {
  const requested = found(graph, request);
  const routes = graph.routesSync(Uint32Array.of(requested.route));
  const route = only(routes);
  return presentTrip(requested, route, agenciesOf(graph, routes).get(route.agency));
}
