/** The entities of the index that a plan names, found and read together for all its legs. */

import type { Graph } from '../native/types.js';
import { EntityId } from '../serialization/entity-id.js';
import type { GraphReader, Ref } from './graph-reader.js';

/** Members of plans that hold ids, by the kind of entity. */
const ID_MEMBERS = { routes: 'routeId', trips: 'tripId', stops: 'stopId' } as const;

/** A kind of entity that plans name. */
export type NamedKind = keyof typeof ID_MEMBERS;

/** A part of a plan, as the plan resource writes it. */
type Part = Readonly<Record<string, unknown>>;

/** A plan as the plan resource writes it, or the reason why there is none. */
export interface PlanAnswer {
  readonly from?: Part | undefined;
  readonly to?: Part | undefined;
  readonly itineraries: readonly { readonly legs: readonly PlanLeg[] }[];
  readonly error?: object | undefined;
}

interface PlanLeg extends Part {
  readonly from: Part;
  readonly to: Part;
  readonly intermediateStops?: readonly Part[] | undefined;
}

/** A plan and the graph that it was searched in. */
export interface PlannedTrip {
  readonly answer: PlanAnswer;
  readonly graph: Graph;
}

/** All ids of one plan, and their entities once a field needs them. */
class PlanEntities {
  readonly #ids: Readonly<Record<NamedKind, Set<string>>> = { routes: new Set(), trips: new Set(), stops: new Set() };
  readonly #found = new Map<NamedKind, ReadonlyMap<string, Ref>>();

  constructor(private readonly reader: GraphReader) {}

  add(kind: NamedKind, part: Part | undefined): void {
    if (part === undefined) return;
    const id = part[ID_MEMBERS[kind]];
    if (id instanceof EntityId) this.#ids[kind].add(id.toJSON());
    entitiesOf.set(part, this);
  }

  find(kind: NamedKind, part: Part): Ref | null {
    const id = part[ID_MEMBERS[kind]];
    if (!(id instanceof EntityId)) return null;
    const found = this.#found.get(kind) ?? this.#read(kind);
    return found.get(id.toJSON()) ?? null;
  }

  #read(kind: NamedKind): ReadonlyMap<string, Ref> {
    const ids = [...this.#ids[kind]];
    const positions = this.reader.graph.findSync(kind, ids);
    const known = ids.filter((_, i) => (positions[i] ?? -1) >= 0);
    const refs = this.reader.refs(kind, Uint32Array.from(positions.filter((position) => position >= 0)));
    const found = new Map(refs.map((ref, i) => [known[i] ?? '', ref]));
    this.#found.set(kind, found);
    return found;
  }
}

/** The plan that a leg or place belongs to. */
const entitiesOf = new WeakMap<object, PlanEntities>();

/** The plan, whose legs and places now lead to entities of the reader's graph. */
export function withEntities(plan: PlanAnswer, reader: GraphReader): PlanAnswer {
  const entities = new PlanEntities(reader);
  entities.add('stops', plan.from);
  entities.add('stops', plan.to);
  for (const leg of plan.itineraries.flatMap(({ legs }) => legs)) {
    entities.add('routes', leg);
    entities.add('trips', leg);
    for (const place of [leg.from, leg.to, ...(leg.intermediateStops ?? [])]) entities.add('stops', place);
  }
  return plan;
}

/** The entity that a leg or place names. */
export function namedEntity(kind: NamedKind, part: Part): Ref | null {
  return entitiesOf.get(part)?.find(kind, part) ?? null;
}
