/** The connection of stops by distance: edges with cursors, and pages of them. */

import { GraphQLError } from 'graphql';
import type { StopDistances } from '../native/types.js';
import { quoted } from '../quoted.js';
import type { GraphReader, Ref } from './graph-reader.js';

/** Which page of which stops to return. */
export interface PageArguments {
  agency?: string | null;
  before?: string | null;
  after?: string | null;
  first?: number | null;
  last?: number | null;
}

const CURSOR = 'simple-cursor';

/** An edge as the schema has it. */
interface StopEdge {
  readonly node: { readonly stop: Ref<'stops'>; readonly distance: number };
  readonly cursor: string;
}

/**
 * A page: `after` and `before` apply first, then `first`, then `last`. Queries may ask for hundreds of thousands of
 * stops, so a stop takes only the twelve bytes of the search's result until its edge is read.
 */
export function nearestStops(reader: GraphReader, near: StopDistances, page: PageArguments) {
  reader.read(near.stops.length);
  const found = page.agency ? ofFeed(reader, near, page.agency) : near;
  const count = found.stops.length;
  const from = Math.min(position(page.after, -1) + 1, count);
  let [first, end] = [from, Math.max(from, Math.min(position(page.before, count), count))];
  end = Math.min(end, first + number(page.first, end - first));
  first = Math.max(first, end - number(page.last, end - first));
  const edges = (some: number, next: number): StopEdge[] =>
    reader.refs('stops', found.stops.subarray(first + some, first + next)).map((stop, i) => ({
      node: { stop, distance: Math.round(found.distances[first + some + i] ?? 0) },
      cursor: cursor(first + some + i),
    }));
  return {
    edges: () => reader.parts(end - first, edges),
    pageInfo: {
      hasNextPage: first < end && end < count,
      hasPreviousPage: first < end && first > 0,
      startCursor: first < end ? cursor(first) : null,
      endCursor: first < end ? cursor(end - 1) : null,
    },
  };
}

function ofFeed(reader: GraphReader, { stops, distances }: StopDistances, feed: string): StopDistances {
  const refs = reader.refs('stops', stops);
  const kept = [...refs.keys()].filter((i) => isOfFeed(refs[i] as Ref<'stops'>, feed));
  return {
    stops: Uint32Array.from(kept, (i) => stops[i] as number),
    distances: Float64Array.from(kept, (i) => distances[i] as number),
  };
}

function cursor(position: number): string {
  return Buffer.from(`${CURSOR}${position}`).toString('base64');
}

function position(cursor: string | null | undefined, otherwise: number): number {
  if (!cursor) return otherwise;
  const text = Buffer.from(cursor, 'base64').toString();
  const number = text.startsWith(CURSOR) ? Number(text.slice(CURSOR.length)) : Number.NaN;
  if (!Number.isInteger(number)) throw new GraphQLError(`${quoted(cursor)} is not a cursor`);
  return Math.max(number, -1);
}

function number(given: number | null | undefined, otherwise: number): number {
  if (given === null || given === undefined) return otherwise;
  if (given < 0) throw new GraphQLError('first and last must be at least 0');
  return given;
}

/** Whether a stop belongs to the feed, whose id is compared without regard to case. */
export function isOfFeed(stop: Ref<'stops'>, feed: string | null | undefined): boolean {
  return !feed || stop.row.id.slice(0, stop.row.id.indexOf(':')).toLowerCase() === feed.toLowerCase();
}
