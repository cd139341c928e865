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
const TOO_MUCH = `The query reads more than ${MOST_ITEMS} list elements`;
const TOO_LONG = `The query runs longer than ${LONGEST_MS / 1000} s`;
/** Longer lists are read in turns. */
const LONG = 32;
/** Entities of a list that are read together: more would hold up other requests. */
const CHUNK = 64;

/** Still longer ones are not even begun as a whole: `LongList`. */
const VERY_LONG = 250;

/** Elements of a list, some of them later. */
export type Paced<T> = readonly (T | Promise<T>)[];

/** A list so long that a promise for each element, and all that came of them, would be too much at once. */
export class LongList<T = unknown> {
  constructor(
    readonly length: number,
    /** Some of its elements. */
    readonly slice: (from: number, to: number) => readonly T[],
    private readonly pace: Pace,
  ) {}

  /** Elements in turns. */
  paced(from = 0, to = this.length): Paced<T> {
    return this.slice(from, to).map((element) => this.pace.turn(element));
  }
}

/** What one query may read and for how long, whichever graphs it reads. */
class Allowance {
  #deadline = performance.now() + LONGEST_MS;
  #restingSince: number | undefined;
  readonly pace = new Pace(() => performance.now() <= this.#deadline || this.#refuse(TOO_LONG));
  readonly exceeded: Promise<never>;
  #reject: (error: GraphQLError) => void = () => {};
  #items = 0;

  constructor() {
    this.exceeded = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.exceeded.catch(() => {});
  }

  /** Throws, and ends the query, when it has read too much or runs too long. */
  spend(items: number): void {
    this.#items += items;
    const complaint = this.#items > MOST_ITEMS ? TOO_MUCH : performance.now() > this.#deadline ? TOO_LONG : undefined;
    if (complaint === undefined) return;
    this.#refuse(complaint);
    throw new GraphQLError(complaint);
  }

  /** The clock stands still from here, while the client takes what it got, until `goOn`. */
  rest(): void {
    this.#restingSince ??= performance.now();
  }

  goOn(): void {
    if (this.#restingSince !== undefined) this.#deadline += performance.now() - this.#restingSince;
    this.#restingSince = undefined;
  }

  /** What still waits never gets its turn: a million fields that fail one by one would take longer than the query. */
  #refuse(complaint: string): false {
    this.pace.stop();
    this.#reject(new GraphQLError(complaint));
    return false;
  }
}

/** One query over one graph. The graph has to be a snapshot: positions in it stay good while live data changes. */
export class Session {
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
    private readonly allowance = new Allowance(),
  ) {}

  /** The same query over another graph. */
  over(graph: Graph): Session {
    return graph === this.graph ? this : new Session(graph, this.nowSeconds, this.allowance);
  }

  /** One entity. */
  one<K extends Kind>(kind: K, index: number): Ref<K> {
    return new Ref(new Batch(this, kind, Uint32Array.of(index)), 0);
  }

  /** Entities of a list. They are read together, a long list in parts. */
  refs<K extends Kind>(kind: K, indices: Uint32Array): Ref<K>[] {
    const at = batched(this, kind, indices);
    return Array.from(indices, (_, i) => at(i));
  }

  /** All entities of a list, paced. */
  list<K extends Kind>(kind: K, indices: Uint32Array): Paced<Ref<K>> | LongList<Ref<K>> {
    return this.#paced(indices.length, (from, to) => this.refs(kind, indices.subarray(from, to)));
  }

  /**
   * Counts the elements of a list. Those of a long list, and of any list when the turn has taken long, come a few at a
   * time, so that other requests are served meanwhile.
   */
  paced<T>(items: readonly T[]): Paced<T> | LongList<T> {
    return this.#paced(items.length, (from, to) => items.slice(from, to));
  }

  #paced<T>(length: number, slice: (from: number, to: number) => readonly T[]): Paced<T> | LongList<T> {
    const { pace } = this.allowance;
    this.spend(length);
    const list = new LongList(length, slice, pace);
    if (length > VERY_LONG) return list;
    return length <= LONG && pace.hasTime ? slice(0, length) : list.paced();
  }

  /** The query does nothing, which does not count as running, until `goOn`. */
  rest(): void {
    this.allowance.rest();
  }

  goOn(): void {
    this.allowance.goOn();
  }

  /** Rejects when the query has read too much or runs too long; its own end does not come then. */
  get exceeded(): Promise<never> {
    return this.allowance.exceeded;
  }

  /** Counts what is read. Throws, and ends the query, when that is too much or takes too long. */
  spend(items: number): void {
    this.allowance.spend(items);
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

/** Entities whose many calls are read together: those of a whole batch would hold up other requests. */
const FEW = 16;

/** One entity of a batch. */
export class Ref<K extends Kind = Kind> {
  constructor(
    readonly batch: Batch<K>,
    readonly at: number,
  ) {}

  /** The same entity in a smaller batch, for fields of which each entity has very many rows. */
  get amongFew(): Ref<K> {
    const { batch, at } = this;
    const few = batch.once('few', () => batched(batch.session, batch.kind, batch.indices, FEW));
    return few(at);
  }

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
      return { offsets, at: batched(batch.session, kind, values) };
    });
    return range(lists.offsets, this.at).map(lists.at);
  }
}

/** The entities at positions of a list, in batches of moderate size. */
export function batched<K extends Kind>(
  session: Session,
  kind: K,
  indices: Uint32Array,
  size = CHUNK,
): (at: number) => Ref<K> {
  const batches: Batch<K>[] = [];
  return (at) => {
    const number = Math.floor(at / size);
    batches[number] ??= new Batch(session, kind, indices.subarray(number * size, (number + 1) * size));
    return new Ref(batches[number], at % size);
  };
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
