/** Looking entities of a graph up: by id or 404, and lists of them. */

import type { Agency, EntityKind, EntityRelation, Graph, IndexRoute } from '../../native/types.js';
import { presentRouteShort, presentStopShort } from '../../serialization/index-entities.js';
import { EntityNotFound } from './index-route.js';

/** The position of an entity. Throws `EntityNotFound`, also for malformed ids. */
export function locate(graph: Graph, kind: EntityKind, id: string): number {
  const [index = -1] = graph.find(kind, [id]);
  if (index < 0) throw new EntityNotFound();
  return index;
}

const listedStops = new WeakMap<Graph, ReadonlySet<number>>();

/** A stop that the index shows: stations and entrances are not part of it. */
export function locateStop(graph: Graph, id: string): number {
  const index = locate(graph, 'stops', id);
  const listed = listedStops.get(graph) ?? new Set(graph.list('stops'));
  listedStops.set(graph, listed);
  if (!listed.has(index)) throw new EntityNotFound();
  return index;
}

/** The entities related to one. */
export function relatedTo(graph: Graph, relation: EntityRelation, index: number): Uint32Array {
  return graph.related(relation, Uint32Array.of(index)).values;
}

/** The agency of each route. */
export function agenciesOf(graph: Graph, routes: readonly IndexRoute[]): Map<number, Agency> {
  const indices = [...new Set(routes.map(({ agency }) => agency))];
  return new Map(graph.agencies(Uint32Array.from(indices)).map((agency) => [agency.index, agency]));
}

/** Stops in their short form. */
export function shortStops(graph: Graph, indices: Uint32Array) {
  return graph.stops(indices).map((stop) => presentStopShort(stop));
}

/** Routes in their short form. */
export function shortRoutes(graph: Graph, indices: Uint32Array) {
  const found = graph.routes(indices);
  const agencies = agenciesOf(graph, found);
  return found.map((route) => presentRouteShort(route, agencies.get(route.agency)));
}
