/** Looking entities of a graph up: by id or 404, and lists of them. */

import { CHUNK } from '../../../native/look-ups.js';
import type { Agency, EntityKind, EntityRelation, Graph, IndexRoute } from '../../../native/types.js';
import {
  presentPatternShort,
  presentRouteShort,
  presentStopShort,
  presentTripShort,
} from '../../../serialization/index-entities.js';
import { EntityNotFound, type IndexRequest } from './index-route.js';

/** The index of an entity. Throws `EntityNotFound`, for malformed ids too. */
export function locate(graph: Graph, kind: EntityKind, id: string): number {
  const [index = -1] = graph.findSync(kind, [id]);
  if (index < 0) throw new EntityNotFound();
  return index;
}

/** The only row of a look-up. Throws `EntityNotFound` when there is none. */
export function only<T>([row]: readonly T[]): T {
  if (row === undefined) throw new EntityNotFound();
  return row;
}

const listedStops = new WeakMap<Graph, ReadonlySet<number>>();

/** A stop that the index lists: stations and entrances are not listed. */
export function locateStop(routerGraph: Graph, id: string): number {
  const index = locate(routerGraph, 'stops', id);
  const listed = listedStops.get(routerGraph) ?? new Set(routerGraph.list('stops'));
  listedStops.set(routerGraph, listed);
  if (!listed.has(index)) throw new EntityNotFound();
  return index;
}

export function requestedStop({ path, routerGraph }: IndexRequest): number {
  return locateStop(routerGraph, path.stopId ?? '');
}

export function relatedTo(graph: Graph, relation: EntityRelation, index: number): Uint32Array {
  return graph.relatedSync(relation, Uint32Array.of(index)).values;
}

export function agenciesOf(graph: Graph, routes: readonly IndexRoute[]): Map<number, Agency> {
  const indices = [...new Set(routes.map(({ agency }) => agency))];
  return new Map(graph.agenciesSync(Uint32Array.from(indices)).map((agency) => [agency.index, agency]));
}

/** The wire forms of a list of entities, which are read some at a time and made while they are written. */
export function* inChunks<T>(indices: Uint32Array, present: (chunk: Uint32Array) => readonly T[]): Generator<T> {
  for (let at = 0; at < indices.length; at += CHUNK) yield* present(indices.subarray(at, at + CHUNK));
}

/** Stops in their short form. */
export function shortStops(graph: Graph, indices: Uint32Array) {
  return inChunks(indices, (chunk) => graph.stopsSync(chunk).map((stop) => presentStopShort(stop)));
}

/** Routes in their short form. */
export function shortRoutes(graph: Graph, indices: Uint32Array) {
  return inChunks(indices, (chunk) => {
    const found = graph.routesSync(chunk);
    const agencies = agenciesOf(graph, found);
    return found.map((route) => presentRouteShort(route, agencies.get(route.agency)));
  });
}

/** Patterns in their short form. */
export function shortPatterns(graph: Graph, indices: Uint32Array) {
  return inChunks(indices, (chunk) => graph.patternsSync(chunk).map(presentPatternShort));
}

/** Trips in their short form. */
export function shortTrips(graph: Graph, indices: Uint32Array) {
  return inChunks(indices, (chunk) => graph.tripsSync(chunk).map(presentTripShort));
}
