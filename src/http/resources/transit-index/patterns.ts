/** /patterns */

import type { Graph } from '../../../native/types.js';
import { presentPatternShort, presentPolyline } from '../../../serialization/index-entities.js';
import type { Route } from '../../route.js';
import { locate, only, relatedTo, shortPatterns, shortStops, shortTrips } from './entities.js';
import { EntityNotFound, type IndexRequest, indexRoute } from './index-route.js';
import { writtenList } from './list-cache.js';

const byCode = (graph: Graph, { path }: IndexRequest) => locate(graph, 'patterns', path.patternId ?? '');

export const patternRoutes: readonly Route[] = [
  indexRoute('/patterns', 'Patterns', 'All patterns', (graph, { routerGraph }) =>
    writtenList(routerGraph, 'patterns', () => shortPatterns(graph, graph.list('patterns'))),
  ),
  indexRoute('/patterns/:patternId', 'Pattern', 'One pattern with its stops and trips', pattern),
  indexRoute('/patterns/:patternId/trips', 'Trips', 'Trips of a pattern', (graph, request) =>
    shortTrips(graph, relatedTo(graph, 'patternTrips', byCode(graph, request))),
  ),
  indexRoute('/patterns/:patternId/stops', 'Stops', 'Stops of a pattern in order', (graph, request) =>
    shortStops(graph, relatedTo(graph, 'patternStops', byCode(graph, request))),
  ),
  indexRoute(
    '/patterns/:patternId/semanticHash',
    'unquoted text',
    'Hash of the stops and rules of a pattern',
    (graph, request) => {
      const [hash = ''] = graph.patternHashesSync(Uint32Array.of(byCode(graph, request)));
      return hash;
    },
  ),
  indexRoute('/patterns/:patternId/geometry', 'EncodedPolyline', 'Shape of a pattern', (graph, request) =>
    geometry(graph, byCode(graph, request)),
  ),
];

function pattern(graph: Graph, request: IndexRequest) {
  const index = byCode(graph, request);
  const found = only(graph.patternsSync(Uint32Array.of(index)));
  const [route] = graph.routesSync(Uint32Array.of(found.route));
  return {
    ...presentPatternShort(found),
    routeId: route?.id,
    stops: shortStops(graph, relatedTo(graph, 'patternStops', index)),
    trips: shortTrips(graph, relatedTo(graph, 'patternTrips', index)),
  };
}

/** The shape of a pattern; a pattern without one has no such resource. */
export function geometry(graph: Graph, index: number) {
  const [line] = graph.patternGeometriesSync(Uint32Array.of(index));
  if (line === undefined || line.length === 0) throw new EntityNotFound();
  return presentPolyline(line);
}
