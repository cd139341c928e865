/** /stops: all of them, those of an area, and the entities related to one. */

import type { Graph } from '../../../native/types.js';
import { presentStop, presentStopShort } from '../../../serialization/index-entities.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
import type { Route } from '../../route.js';
import { inChunks, only, relatedTo, requestedStop, shortPatterns, shortRoutes, shortStops } from './entities.js';
import { type IndexRequest, indexRoute, UnusableParameters, usable } from './index-route.js';
import { writtenList } from './list-cache.js';

const CIRCLE = parameters({
  lat: parameter.decimal('Centre of a circle, degrees'),
  lon: parameter.decimal('Centre of a circle, degrees'),
  radius: parameter.decimal('Radius of the circle, metres; larger ones are reduced to 5000'),
});

const BOX = parameters({
  minLat: parameter.decimal('South of a box, degrees'),
  minLon: parameter.decimal('West of a box, degrees'),
  maxLat: parameter.decimal('North of a box, degrees'),
  maxLon: parameter.decimal('East of a box, degrees'),
});

/** The rows of stops, without their stop times. */
export const stopRoutes: readonly Route[] = [
  indexRoute('/stops', 'Stops', 'All stops, or those in a circle or box', stops, { query: { ...CIRCLE, ...BOX } }),
  indexRoute('/stops/:stopId', 'Stop', 'One stop', (graph, request) =>
    presentStop(only(graph.stopsSync(Uint32Array.of(requestedStop(request))))),
  ),
  indexRoute('/stops/:stopId/routes', 'Routes', 'Routes that call at a stop', (graph, request) =>
    shortRoutes(graph, relatedTo(graph, 'stopRoutes', requestedStop(request))),
  ),
  indexRoute('/stops/:stopId/patterns', 'Patterns', 'Patterns that call at a stop', (graph, request) =>
    shortPatterns(graph, relatedTo(graph, 'stopPatterns', requestedStop(request))),
  ),
  indexRoute('/stops/:stopId/transfers', 'Transfers', 'Walks to other stops', transfers),
];

function stops(graph: Graph, { query, queryString, routerGraph }: IndexRequest) {
  if (queryString === '') return writtenList(routerGraph, 'stops', () => shortStops(graph, graph.list('stops')));
  return usable(() =>
    asksForCircle(query) ? stopsInCircle(graph, query) : shortStops(graph, stopsInBox(graph, query)),
  );
}

function asksForCircle(query: Query): boolean {
  return Object.values(CIRCLE).some((parameter) => query.raw(parameter));
}

function stopsInCircle(graph: Graph, query: Query) {
  const [lat, lon, radius] = [query.given(CIRCLE.lat), query.given(CIRCLE.lon), query.given(CIRCLE.radius)];
  if (lat === undefined || lon === undefined || radius === undefined || radius < 0) throw new UnusableParameters();
  const near = graph.stopsInCircle(lat, lon, radius);
  let next = 0;
  return inChunks(near.stops, (chunk) =>
    graph.stopsSync(chunk).map((stop) => presentStopShort(stop, near.distances[next++])),
  );
}

function stopsInBox(graph: Graph, query: Query): Uint32Array {
  const [minLat, minLon, maxLat, maxLon] = [BOX.minLat, BOX.minLon, BOX.maxLat, BOX.maxLon].map((side) =>
    query.given(side),
  );
  if (minLat === undefined || minLon === undefined || maxLat === undefined || maxLon === undefined) {
    throw new UnusableParameters();
  }
  if (maxLat <= minLat || maxLon <= minLon) throw new UnusableParameters();
  return graph.stopsInBox(minLat, minLon, maxLat, maxLon);
}

function transfers(graph: Graph, request: IndexRequest) {
  const near = graph.transfersSync(Uint32Array.of(requestedStop(request)));
  return graph.stopsSync(near.stops).map(({ id }, i) => ({ toStopId: id, distance: near.distances[i] }));
}
