/** /routes */

import type { Graph } from '../../../native/types.js';
import { presentRoute } from '../../../serialization/index-entities.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Route } from '../../route.js';
import {
  agenciesOf,
  locate,
  locateStop,
  only,
  relatedTo,
  shortPatterns,
  shortRoutes,
  shortStops,
  shortTrips,
} from './entities.js';
import { type IndexRequest, indexRoute } from './index-route.js';
import { writtenList } from './list-cache.js';

const byId = (graph: Graph, { path }: IndexRequest) => locate(graph, 'routes', path.routeId ?? '');

const ROUTES = parameters({
  hasStop: parameter.text('Only routes that call at this stop (`feed:stop`), or at all of several', {
    repeatable: true,
  }),
});

export const routeRoutes: readonly Route[] = [
  indexRoute('/routes', 'Routes', 'All routes, or those that call at given stops', routes, { query: ROUTES }),
  indexRoute('/routes/:routeId', 'Route', 'One route', (graph, request) => {
    const found = graph.routesSync(Uint32Array.of(byId(graph, request)));
    const route = only(found);
    return presentRoute(route, agenciesOf(graph, found).get(route.agency));
  }),
  indexRoute('/routes/:routeId/patterns', 'Patterns', 'Patterns of a route', (graph, request) =>
    shortPatterns(graph, relatedTo(graph, 'routePatterns', byId(graph, request))),
  ),
  indexRoute('/routes/:routeId/stops', 'Stops', 'Stops of a route', (graph, request) =>
    shortStops(graph, relatedTo(graph, 'routeStops', byId(graph, request))),
  ),
  indexRoute('/routes/:routeId/trips', 'Trips', 'Trips of a route', (graph, request) =>
    shortTrips(graph, relatedTo(graph, 'routeTrips', byId(graph, request))),
  ),
];

function routes(graph: Graph, { query, routerGraph }: IndexRequest) {
  const stops = query.all(ROUTES.hasStop).map((id) => locateStop(routerGraph, id));
  if (stops.length === 0) return writtenList(routerGraph, 'routes', () => shortRoutes(graph, graph.list('routes')));
  const calling = stops.map((stop) => new Set(relatedTo(graph, 'stopRoutes', stop)));
  return shortRoutes(
    graph,
    graph.list('routes').filter((route) => calling.every((routes) => routes.has(route))),
  );
}
