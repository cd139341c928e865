/** /stops: all of them, those of an area, and the entities related to one. */

import type { Graph } from '../../native/types.js';
import { presentStop, presentStopShort } from '../../serialization/index-entities.js';
import { type ParameterSchema, parameter } from '../parameter-schema.js';
import { BadParameter } from '../params/bad-parameter.js';
import type { Query } from '../params/query.js';
import type { Route } from '../route.js';
import { inChunks, locateStop, relatedTo, shortPatterns, shortRoutes, shortStops } from './entities.js';
import { EntityNotFound, type IndexRequest, indexRoute, UnusableParameters } from './index-route.js';
import { writtenList } from './list-cache.js';

const AREA: readonly ParameterSchema[] = [
  parameter.decimal('lat', 'Centre of a circle, degrees'),
  parameter.decimal('lon', 'Centre of a circle, degrees'),
  parameter.decimal('radius', 'Radius of the circle, metres; larger ones are reduced to 5000'),
  parameter.decimal('minLat', 'South of a box, degrees'),
  parameter.decimal('minLon', 'West of a box, degrees'),
  parameter.decimal('maxLat', 'North of a box, degrees'),
  parameter.decimal('maxLon', 'East of a box, degrees'),
];

/** The rows of stops, without their stop times. */
export const stopRoutes: readonly Route[] = [
  indexRoute('/stops', 'Stops', 'All stops, or those in a circle or box', stops, { query: AREA }),
  indexRoute('/stops/:stopId', 'Stop', 'One stop', (graph, { path, routerGraph }) => {
    const [stop] = graph.stops(Uint32Array.of(locateStop(routerGraph, path.stopId ?? '')));
    if (stop === undefined) throw new EntityNotFound();
    return presentStop(stop);
  }),
  indexRoute('/stops/:stopId/routes', 'Routes', 'Routes that call at a stop', (graph, { path, routerGraph }) =>
    shortRoutes(graph, relatedTo(graph, 'stopRoutes', locateStop(routerGraph, path.stopId ?? ''))),
  ),
  indexRoute('/stops/:stopId/patterns', 'Patterns', 'Patterns that call at a stop', (graph, { path, routerGraph }) =>
    shortPatterns(graph, relatedTo(graph, 'stopPatterns', locateStop(routerGraph, path.stopId ?? ''))),
  ),
  indexRoute('/stops/:stopId/transfers', 'Transfers', 'Walks to other stops', transfers),
];

function stops(graph: Graph, { query, queryString, routerGraph }: IndexRequest) {
  if (queryString === '') return writtenList(routerGraph, 'stops', () => shortStops(graph, graph.list('stops')));
  try {
    return asksForCircle(query) ? stopsInCircle(graph, query) : shortStops(graph, stopsInBox(graph, query));
  } catch (error) {
    throw error instanceof BadParameter ? new UnusableParameters() : error;
  }
}

function asksForCircle(query: Query): boolean {
  return ['lat', 'lon', 'radius'].some((name) => query.text(name) !== undefined);
}

function stopsInCircle(graph: Graph, query: Query) {
  const [lat, lon, radius] = [query.decimal('lat'), query.decimal('lon'), query.decimal('radius')];
  if (lat === undefined || lon === undefined || radius === undefined || radius < 0) throw new UnusableParameters();
  const near = graph.stopsInCircle(lat, lon, radius);
  let next = 0;
  return inChunks(near.stops, (chunk) =>
    graph.stops(chunk).map((stop) => presentStopShort(stop, near.distances[next++])),
  );
}

function stopsInBox(graph: Graph, query: Query): Uint32Array {
  const [minLat, minLon, maxLat, maxLon] = ['minLat', 'minLon', 'maxLat', 'maxLon'].map((name) => query.decimal(name));
  if (minLat === undefined || minLon === undefined || maxLat === undefined || maxLon === undefined) {
    throw new UnusableParameters();
  }
  if (maxLat <= minLat || maxLon <= minLon) throw new UnusableParameters();
  return graph.stopsInBox(minLat, minLon, maxLat, maxLon);
}

function transfers(graph: Graph, { path, routerGraph }: IndexRequest) {
  const near = graph.transfers(Uint32Array.of(locateStop(routerGraph, path.stopId ?? '')));
  return graph.stops(near.stops).map(({ id }, i) => ({ toStopId: id, distance: near.distances[i] }));
}
