/**
 * What one query reads from a graph. Resolvers pass entities on as references into batches: when the first item of a
 * list needs something, it is read for the whole list, so that each list field costs one call of the engine.
 */

import { range } from '../native/list-range.js';
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
import type { Allowance } from './allowance.js';

/** Kinds of entities in queries, with their rows. */
interface RowsByKind {
  agencies: Agency;
  stops: IndexStop;
  routes: IndexRoute;
  patterns: IndexPattern;
  trips: IndexTrip;
  clusters: Cluster;
}

/** A kind of entity. */
export type Kind = keyof RowsByKind;

/** Longer lists are read in turns. */
const LONG = 32;
/** Most entities of a list that are read together; more would delay other requests. */
const CHUNK = 64;

/** Rows of each kind that are kept in case they are needed again. */
const KEPT_ROWS = 5000;

/**
 * Lists longer than this are not read as a whole but become a `LongList`, and so do shorter ones when the query already
 * holds much.
 */
const VERY_LONG = 250;

/** The elements of a list, some of which come later. */
export type Paced<T> = readonly (T | Promise<T>)[];

/** A list so long that a promise for each element, with all its results, would take too much memory. */
export class LongList<T = unknown> {
  constructor(
    readonly length: number,
    /** Some of its elements. */
    readonly slice: (from: number, to: number) => readonly T[],
    private readonly allowance: Allowance,
  ) {}

  /** Elements in turns. */
  paced(from = 0, to = this.length): Paced<T> {
    this.allowance.hold(to - from);
    return this.slice(from, to).map((element) => this.allowance.pace.turn(element));
  }
}

/**
 * One query over one graph. The graph has to be a snapshot, so that indices in it stay valid while live data changes.
 */
export class GraphReader {
  readonly #rows: { [K in Kind]: Map<number, RowsByKind[K]> } = {
    agencies: new Map(),
    stops: new Map(),
    routes: new Map(),
    patterns: new Map(),
    trips: new Map(),
    clusters: new Map(),
  };

  constructor(
    readonly graph: Graph,
    /** The moment that "now" means, epoch seconds. */
    readonly nowSeconds: number,
    readonly allowance: Allowance,
  ) {}

  /** The same query over another graph. */
  over(graph: Graph): GraphReader {
    return graph === this.graph ? this : new GraphReader(graph, this.nowSeconds, this.allowance);
  }

  /** One entity. */
  one<K extends Kind>(kind: K, index: number): Ref<K> {
    return new Ref(new Batch(this, kind, Uint32Array.of(index)), 0);
  }

  /** Entities of a list. They are read together, those of a long list in parts. */
  refs<K extends Kind>(kind: K, indices: Uint32Array): Ref<K>[] {
    const at = batched(this, kind, indices);
    return Array.from(indices, (_, i) => at(i));
  }

  /** All entities of a list, paced. */
  list<K extends Kind>(kind: K, indices: Uint32Array): Paced<Ref<K>> | LongList<Ref<K>> {
    this.allowance.spend(indices.length);
    return this.#inTurns(indices.length, 0, (from, to) => this.refs(kind, indices.subarray(from, to)));
  }

  /**
   * Counts the elements of a list. A long list, or any list when the turn has taken long, gives a few elements at a
   * time, so that other requests are served in between.
   */
  paced<T>(items: readonly T[]): Paced<T> | LongList<T> {
    this.allowance.spend(items.length);
    return this.pacedRows(items);
  }

  /** The same for elements that were counted when they were read. */
  pacedRows<T>(items: readonly T[]): Paced<T> | LongList<T> {
    return this.#inTurns(items.length, items.length, (from, to) => items.slice(from, to));
  }

  /** A list of rows that were counted when they were read, and whose elements are made in parts. */
  parts<T>(length: number, slice: (from: number, to: number) => readonly T[]): Paced<T> | LongList<T> {
    return this.#inTurns(length, 0, slice);
  }

  /** A list; `kept` of its elements stay in memory even if it is read later. */
  #inTurns<T>(length: number, kept: number, slice: (from: number, to: number) => readonly T[]): Paced<T> | LongList<T> {
    const { allowance } = this;
    const list = new LongList(length, slice, allowance);
    if (length > (allowance.holdsMuch ? LONG : VERY_LONG)) {
      allowance.hold(kept);
      return list;
    }
    if (length > LONG || !allowance.pace.hasTime) return list.paced();
    allowance.hold(length);
    return slice(0, length);
  }

  /** Counts rows from the engine, which are kept. */
  read(rows: number): void {
    this.allowance.spend(rows);
    this.allowance.hold(rows);
  }

  /** Rows of entities. Recently read ones are not read again. */
  rows<K extends Kind>(kind: K, indices: Uint32Array): ReadonlyMap<number, RowsByKind[K]> {
    const known = this.#rows[kind] as Map<number, RowsByKind[K]>;
    const rows = new Map<number, RowsByKind[K]>();
    const missing = new Set<number>();
    for (const index of indices) {
      const row = known.get(index);
      if (row === undefined) missing.add(index);
      else rows.set(index, row);
    }
    if (missing.size === 0) return rows;
    if (known.size > KEPT_ROWS) known.clear();
    const read = this.graph[`${kind}Sync`](Uint32Array.from(missing)) as unknown as RowsByKind[K][];
    for (const row of read) {
      known.set(row.index, row);
      rows.set(row.index, row);
    }
    return rows;
  }
}

/** Entities of one kind whose fields are read together. */
class Batch<K extends Kind = Kind> {
  readonly #memory = new Map<string, unknown>();

  constructor(
    readonly reader: GraphReader,
    readonly kind: K,
    readonly indices: Uint32Array,
  ) {}

  /** The result of `make` for the whole batch; made once per key. */
  once<T>(key: string, make: () => T): T {
    if (!this.#memory.has(key)) this.#memory.set(key, make());
    return this.#memory.get(key) as T;
  }
}

/**
 * Entities in smaller batches, for fields with many calls each: reading those of a whole batch would delay other
 * requests.
 */
const FEW = 8;

/** One entity of a batch. */
export class Ref<K extends Kind = Kind> {
  constructor(
    readonly batch: Batch<K>,
    readonly at: number,
  ) {}

  /** The same entity in a smaller batch, for fields with very many rows per entity. */
  get amongFew(): Ref<K> {
    const { batch, at } = this;
    const few = batch.once('few', () => batched(batch.reader, batch.kind, batch.indices, FEW));
    return few(at);
  }

  /** Position in the graph. */
  get index(): number {
    return this.batch.indices[this.at] ?? -1;
  }

  get reader(): GraphReader {
    return this.batch.reader;
  }

  get row(): RowsByKind[K] {
    const { batch } = this;
    const rows = batch.once('rows', () => batch.reader.rows(batch.kind, batch.indices));
    const row = rows.get(this.index);
    if (row === undefined) throw new Error(`no row ${this.index} among ${batch.kind}`);
    return row;
  }

  /** The entity that `read` finds in the row of each entity of the batch. */
  to<L extends Kind>(kind: L, key: string, read: (row: RowsByKind[K]) => number | undefined): Ref<L> | null {
    const { batch } = this;
    const target = batch.once(key, () => {
      const rows = batch.once('rows', () => batch.reader.rows(batch.kind, batch.indices));
      const targets = Array.from(batch.indices, (index) => {
        const row = rows.get(index);
        return (row === undefined ? undefined : read(row)) ?? NONE;
      });
      return { targets, refs: new Map(distinctRefs(batch.reader, kind, targets)) };
    });
    return target.refs.get(target.targets[this.at] ?? NONE) ?? null;
  }

  /** The entities that a relation leads to. */
  many<L extends Kind>(kind: L, relation: EntityRelation): Ref<L>[] {
    const { batch } = this;
    const lists = batch.once(relation, () => {
      const { offsets, values } = batch.reader.graph.relatedSync(relation, batch.indices);
      return { offsets, at: batched(batch.reader, kind, values) };
    });
    return range(lists.offsets, this.at).map(lists.at);
  }
}

/** The entities at indices of a list, in batches of moderate size. */
export function batched<K extends Kind>(
  reader: GraphReader,
  kind: K,
  indices: Uint32Array,
  size = CHUNK,
): (at: number) => Ref<K> {
  const batches: Batch<K>[] = [];
  return (at) => {
    const number = Math.floor(at / size);
    batches[number] ??= new Batch(reader, kind, indices.subarray(number * size, (number + 1) * size));
    return new Ref(batches[number], at % size);
  };
}

/** No entity. */
const NONE = -1;

function distinctRefs<K extends Kind>(reader: GraphReader, kind: K, targets: readonly number[]): [number, Ref<K>][] {
  const indices = Uint32Array.from(new Set(targets.filter((target) => target !== NONE)));
  return reader.refs(kind, indices).map((ref) => [ref.index, ref]);
}
