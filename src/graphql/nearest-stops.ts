/** The connection of stops by distance: edges with cursors, and pages of them. */

import { GraphQLError } from 'graphql';
import type { StopDistances } from '../native/types.js';
import type { GraphReader, Ref } from './graph-reader.js';

/** Which page of which stops to return. */
export interface PageArguments {
  agency?: string | null;
  before?: string | null;
  after?: string | null;
  first?: number | null;
  last?: number | null;
}

/** A page of stops; its edges are read in turns. */
export type StopConnection = ReturnType<typeof nearestStops>;

const CURSOR = 'simple-cursor';

/** A page: `after` and `before` apply first, then `first`, then `last`. */
export function nearestStops(reader: GraphReader, near: StopDistances, page: PageArguments) {
  reader.read(near.stops.length);
  const edges = reader
    .refs('stops', near.stops)
    .map((stop, i) => ({ stop, distance: Math.round(near.distances[i] ?? 0) }))
    .filter(({ stop }) => isOfFeed(stop, page.agency))
    .map((node, i) => ({ node, cursor: Buffer.from(`${CURSOR}${i}`).toString('base64') }));
  let shown = edges.slice(position(page.after, -1) + 1, position(page.before, edges.length));
  shown = shown.slice(0, count(page.first, shown.length));
  shown = shown.slice(shown.length - Math.min(shown.length, count(page.last, shown.length)));
  const some = shown.length > 0;
  return {
    reader,
    edges: shown,
    pageInfo: {
      hasNextPage: some && shown.at(-1) !== edges.at(-1),
      hasPreviousPage: some && shown[0] !== edges[0],
      startCursor: shown[0]?.cursor ?? null,
      endCursor: shown.at(-1)?.cursor ?? null,
    },
  };
}

function position(cursor: string | null | undefined, otherwise: number): number {
  if (!cursor) return otherwise;
  const text = Buffer.from(cursor, 'base64').toString();
  const number = text.startsWith(CURSOR) ? Number(text.slice(CURSOR.length)) : Number.NaN;
  if (!Number.isInteger(number)) throw new GraphQLError(`"${cursor.slice(0, 60)}" is not a cursor`);
  return Math.max(number, -1);
}

function count(given: number | null | undefined, otherwise: number): number {
  if (given === null || given === undefined) return otherwise;
  if (given < 0) throw new GraphQLError('first and last must be at least 0');
  return given;
}

/** Whether a stop is of the feed, whose id is compared without regard to case. */
export function isOfFeed(stop: Ref<'stops'>, feed: string | null | undefined): boolean {
  return !feed || stop.row.id.slice(0, stop.row.id.indexOf(':')).toLowerCase() === feed.toLowerCase();
}
