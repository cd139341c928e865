/**
 * Look-ups of the transit index that are given positions or ids. The addon answers them at once, in time proportional
 * to the length of the list, and can make objects only in the thread of the program. So the library passes it a part of
 * the list at a time, and the program can do other work in between.
 */

import type { AlertPatch, CallTexts, EntityKind, Graph, Positions, StaticRentalStation } from '#addon';
import { nextTurn, Pauses } from '../turns.js';
import type { LookUp, LookUpsAtOnce } from './look-ups-at-once.js';

/** Elements of a list that are read in one call, which takes up to a third of a millisecond. */
const TOGETHER = 16;
/** The same for ids to find, and for calls whose texts are read. */
const QUICK = 256;
/** Entities that `each` and the server read in one go, which takes about a quarter of a millisecond. */
export const CHUNK = 64;

/** How a look-up is divided: which arguments are lists, and how its results for parts of them are joined. */
interface Division {
  /** Which arguments are lists; all have the same length. */
  readonly lists: readonly number[];
  readonly together: number;
  readonly slice: (list: unknown, from: number, to: number) => unknown;
  readonly join: (parts: readonly never[], pauses: Pauses) => Promise<unknown>;
}

const ROWS: Division = { lists: [0], together: TOGETHER, slice: positionsOf, join: joinRows };
const COLUMNS: Division = { lists: [0], together: TOGETHER, slice: positionsOf, join: joinColumns };

export const LOOK_UPS: Record<LookUp, Division> = {
  find: { lists: [1], together: QUICK, slice: idsOf, join: joinColumn },
  feeds: ROWS,
  agencies: ROWS,
  stops: ROWS,
  routes: ROWS,
  patterns: ROWS,
  trips: ROWS,
  clusters: ROWS,
  flexAreas: ROWS,
  related: { ...COLUMNS, lists: [1] },
  transfers: COLUMNS,
  stopTimes: COLUMNS,
  stopTimesOnDate: COLUMNS,
  tripStopTimes: COLUMNS,
  callTexts: { lists: [0, 1, 2], together: QUICK, slice: positionsOf, join: joinTexts },
  patternGeometries: ROWS,
  patternPoints: COLUMNS,
  flexAreaBoundaries: ROWS,
  patternHashes: ROWS,
  tripHashes: ROWS,
};

type GraphAtOnce = Graph & LookUpsAtOnce;

/** The look-up as one that returns a promise; everything it reads has the live data of when it began. */
export function inParts(name: LookUp, atOnce: (this: Graph, ...args: unknown[]) => unknown) {
  const { lists, together, slice, join } = LOOK_UPS[name];
  return async function (this: Graph, ...args: unknown[]): Promise<unknown> {
    const part = (from: number) =>
      args.map((arg, at) => (lists.includes(at) ? slice(arg, from, from + together) : arg));
    const length = Math.max(...lists.map((at) => lengthOf(args[at])));
    if (length <= together) return atOnce.apply(this, part(0));
    const snapshot = this.snapshot();
    try {
      const pauses = new Pauses();
      const parts: unknown[] = [];
      for (let from = 0; from < length; from += together) {
        await pauses.takeIfDue();
        parts.push(atOnce.apply(snapshot, part(from)));
      }
      return await join(parts as never[], pauses);
    } finally {
      snapshot.dispose();
    }
  };
}

/** Lists that the addon reads in parts: `count` elements from position `from` on. */
export const LISTS = {
  async alerts(this: Graph, from: number, count: number): Promise<AlertPatch[]> {
    if (typeof from !== 'number' || typeof count !== 'number') throw new TypeError('from and count have to be numbers');
    return await paged(this, count, (graph, at, some) => graph.alertsSync(from + at, some));
  },
  async staticRentalStations(this: Graph): Promise<StaticRentalStation[]> {
    return await paged(this, Infinity, (graph, at, some) => graph.staticRentalStationsSync(at, some));
  },
};

async function paged<T>(
  graph: Graph,
  most: number,
  read: (graph: GraphAtOnce, from: number, count: number) => readonly T[],
): Promise<T[]> {
  const snapshot = graph.snapshot() as GraphAtOnce;
  try {
    const pauses = new Pauses();
    const all: T[] = [];
    while (all.length < most) {
      await pauses.takeIfDue();
      const some = read(snapshot, all.length, Math.min(TOGETHER, most - all.length));
      if (some.length === 0) break;
      all.push(...some);
    }
    return all;
  } finally {
    snapshot.dispose();
  }
}

/** The entities at the given positions, by default all of a kind; all have the live data of the first one. */
export async function* each(this: Graph, kind: EntityKind, positions?: Positions): AsyncGenerator<unknown> {
  const snapshot = this.snapshot() as GraphAtOnce;
  try {
    const all = positions ?? snapshot.list(kind);
    for (let at = 0; at < all.length; at += CHUNK) {
      if (at > 0) await nextTurn();
      yield* snapshot[`${kind}Sync`](positionsOf(all, at, at + CHUNK) as Uint32Array) as unknown[];
    }
  } finally {
    snapshot.dispose();
  }
}

function isList(value: unknown): value is Positions {
  return value instanceof Uint32Array || value instanceof Int32Array || Array.isArray(value);
}

function lengthOf(value: unknown): number {
  return isList(value) ? value.length : 0;
}

/** Some positions as the addon takes them. The addon refuses anything that is not a list. */
function positionsOf(list: unknown, from: number, to: number): unknown {
  if (list instanceof Uint32Array) return list.subarray(from, to);
  if (!isList(list)) return list;
  const some = list.slice(from, to);
  if (!some.every(Number.isInteger)) throw new TypeError('positions have to be whole numbers');
  return Uint32Array.from(some);
}

function idsOf(list: unknown, from: number, to: number): unknown {
  return Array.isArray(list) ? list.slice(from, to) : list;
}

async function joinRows(parts: readonly (readonly unknown[])[], pauses: Pauses): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const part of parts) {
    await pauses.takeIfDue();
    all.push(...part);
  }
  return all;
}

type Column = Uint32Array | Int32Array | Float64Array | Uint8Array;

async function joinColumn(parts: readonly Column[], pauses: Pauses): Promise<Column> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const Kind = (parts[0] ?? new Uint32Array()).constructor as new (length: number) => Column;
  const all = new Kind(length);
  let at = 0;
  for (const part of parts) {
    await pauses.takeIfDue();
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Columns with the start of each of several lists in one array, and the end of the last one. */
const OFFSETS: ReadonlySet<string> = new Set(['offsets', 'groupOffsets', 'callOffsets']);

/** Joins each column of the results; offsets continue from the end of the part before. */
async function joinColumns(parts: readonly Record<string, Column>[], pauses: Pauses): Promise<Record<string, Column>> {
  const all: Record<string, Column> = {};
  for (const name of Object.keys(parts[0] ?? {})) {
    const columns = parts.map((part) => part[name] as Column);
    all[name] = await joinColumn(OFFSETS.has(name) ? continued(columns) : columns, pauses);
  }
  return all;
}

function continued(parts: readonly Column[]): Column[] {
  let end = 0;
  return parts.map((part, i) => {
    const moved = part.map((offset) => offset + end);
    end = moved.at(-1) ?? end;
    return i === 0 ? moved : moved.subarray(1);
  });
}

/** Each text once, as in the result of one call. */
async function joinTexts(parts: readonly CallTexts[], pauses: Pauses): Promise<CallTexts> {
  const positions = new Map<string, number>();
  const columns: Record<string, Column>[] = [];
  for (const { texts, ...own } of parts) {
    await pauses.takeIfDue();
    const moved = texts.map((text) => {
      const position = positions.get(text) ?? positions.size;
      positions.set(text, position);
      return position;
    });
    const move = (column: Uint32Array) => column.map((position) => moved[position] ?? 0);
    columns.push(Object.fromEntries(Object.entries(own).map(([name, column]) => [name, move(column)])));
  }
  return { texts: [...positions.keys()], ...(await joinColumns(columns, pauses)) } as unknown as CallTexts;
}
