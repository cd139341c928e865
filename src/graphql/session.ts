/**
 * What one query reads from a graph. Entities travel through the resolvers as references into batches: the first item
 * of a list that asks for something asks for the whole list, so that each list field costs one call of the engine.
 */

import { GraphQLError } from 'graphql';
import type {
  Agency,
  Cluster,
  EntityRelation,
  Graph,
  IndexPattern,
  IndexRoute,
  IndexStop,
  IndexTrip,
} from '../native/types.js';
import { Pace } from './pace.js';

/** Kinds of entities that queries see, with their rows. */
export interface RowsByKind {
  agencies: Agency;
  stops: IndexStop;
  routes: IndexRoute;
  patterns: IndexPattern;
  trips: IndexTrip;
  clusters: Cluster;
}

/** A kind of entity. */
export type Kind = keyof RowsByKind;

/** List elements that one query may read. */
const MOST_ITEMS = 1_000_000;
/** How long one query may run, milliseconds. */
const LONGEST_MS = 20_000;
/** Longer lists are read in turns. */
const LONG = 32;
/** Entities of a whole list that are read together. */
const CHUNK = 64;

/** Elements of a list, some of them later. */
export type Paced<T> = readonly (T | Promise<T>)[];

/** One query over one graph. */
export class Session {
  readonly #rows: { [K in Kind]: Map<number, RowsByKind[K]> } = {
    agencies: new Map(),
    stops: new Map(),
    routes: new Map(),
    patterns: new Map(),
    trips: new Map(),
    clusters: new Map(),
  };
  readonly #deadline = performance.now() + LONGEST_MS;
  readonly #pace = new Pace(() => this.spend(0));
  #items = 0;

  constructor(
    readonly graph: Graph,
    /** The moment that "now" means, epoch seconds. */
    readonly nowSeconds: number,
  ) {}

  /** One entity. */
  one<K extends Kind>(kind: K, index: number): Ref<K> {
    return new Ref(new Batch(this, kind, Uint32Array.of(index)), 0);
  }

  /** Entities of a list that belongs together. */
  refs<K extends Kind>(kind: K, indices: Uint32Array): Ref<K>[] {
    const batch = new Batch(this, kind, indices);
    return Array.from(indices, (_, at) => new Ref(batch, at));
  }

  /** All entities of a list, in batches of moderate size. */
  list<K extends Kind>(kind: K, indices: Uint32Array): Paced<Ref<K>> {
    const refs: Ref<K>[] = [];
    for (let at = 0; at < indices.length; at += CHUNK) refs.push(...this.refs(kind, indices.subarray(at, at + CHUNK)));
    return this.paced(refs);
  }

  /**
   * Counts the elements of a list. Those of a long list come a few at a time, so that other requests are served
   * meanwhile.
   */
  paced<T>(items: readonly T[]): Paced<T> {
    this.spend(items.length);
    return items.length <= LONG ? items : items.map((item) => this.#pace.turn(item));
  }

  /** Fails when the query has read too much or runs too long. */
  spend(items: number): void {
    this.#items += items;
    if (this.#items > MOST_ITEMS) throw new GraphQLError(`The query reads more than ${MOST_ITEMS} list elements`);
    if (performance.now() > this.#deadline) throw new GraphQLError(`The query runs longer than ${LONGEST_MS / 1000} s`);
  }

  /** Rows of a kind that were read already; `indices` are read if they are missing. */
  rows<K extends Kind>(kind: K, indices: Uint32Array): Map<number, RowsByKind[K]> {
    const known = this.#rows[kind] as Map<number, RowsByKind[K]>;
    const missing = [...new Set(indices)].filter((index) => !known.has(index));
    if (missing.length > 0) {
      const read = this.graph[kind](Uint32Array.from(missing)) as unknown as RowsByKind[K][];
      for (const row of read) known.set(row.index, row);
    }
    return known;
  }
}

/** Entities of one kind whose fields are read together. */
export class Batch<K extends Kind = Kind> {
  readonly #memory = new Map<string, unknown>();

  constructor(
    readonly session: Session,
    readonly kind: K,
    readonly indices: Uint32Array,
  ) {}

  /** What `make` gives for the whole batch; made once per key. */
  once<T>(key: string, make: () => T): T {
    if (!this.#memory.has(key)) this.#memory.set(key, make());
    return this.#memory.get(key) as T;
  }
}

/** One entity of a batch. */
export class Ref<K extends Kind = Kind> {
  constructor(
    readonly batch: Batch<K>,
    readonly at: number,
  ) {}

  /** Position in the graph. */
  get index(): number {
    return this.batch.indices[this.at] ?? -1;
  }

  get session(): Session {
    return this.batch.session;
  }

  get row(): RowsByKind[K] {
    const { batch } = this;
    const rows = batch.once('rows', () => batch.session.rows(batch.kind, batch.indices));
    const row = rows.get(this.index);
    if (row === undefined) throw new Error(`no row ${this.index} among ${batch.kind}`);
    return row;
  }

  /** The entity that `read` finds in the row of each entity of the batch. */
  to<L extends Kind>(kind: L, key: string, read: (row: RowsByKind[K]) => number | undefined): Ref<L> | null {
    const { batch } = this;
    const target = batch.once(key, () => {
      const rows = batch.once('rows', () => batch.session.rows(batch.kind, batch.indices));
      const targets = Array.from(batch.indices, (index) => {
        const row = rows.get(index);
        return (row === undefined ? undefined : read(row)) ?? NONE;
      });
      return { targets, refs: new Map(distinctRefs(batch.session, kind, targets)) };
    });
    return target.refs.get(target.targets[this.at] ?? NONE) ?? null;
  }

  /** The entities that a relation leads to. */
  many<L extends Kind>(kind: L, relation: EntityRelation): Ref<L>[] {
    const { batch } = this;
    const lists = batch.once(relation, () => {
      const { offsets, values } = batch.session.graph.related(relation, batch.indices);
      return { offsets, refs: new Batch(batch.session, kind, values) };
    });
    return range(lists.offsets, this.at).map((i) => new Ref(lists.refs, i));
  }
}

/** Positions of the list of the item `at` among lists that lie end to end. */
export function range(offsets: Uint32Array, at: number): number[] {
  const from = offsets[at] ?? 0;
  return Array.from({ length: (offsets[at + 1] ?? from) - from }, (_, i) => from + i);
}

/** No entity. */
const NONE = -1;

function distinctRefs<K extends Kind>(session: Session, kind: K, targets: readonly number[]): [number, Ref<K>][] {
  const indices = Uint32Array.from(new Set(targets.filter((target) => target !== NONE)));
  return session.refs(kind, indices).map((ref) => [ref.index, ref]);
}
