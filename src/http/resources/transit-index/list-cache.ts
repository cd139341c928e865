/** Whole lists of a graph as bytes. They are written once, in slices, and freed with the graph. */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Graph } from '../../../native/types.js';
import { slicedJson } from '../../../serialization/sliced-json.js';

/** A list as it is sent. */
export interface WrittenList {
  readonly bytes: Buffer;
  /** The same, compressed. */
  readonly gzip: Buffer;
  /** Entity tag of both, and therefore a weak one. */
  readonly etag: string;
}

/** The lists that are cached: a fixed number for each graph. */
type ListName = 'stops' | 'routes' | 'patterns' | 'clusters' | 'clusters in detail';

const written = new WeakMap<Graph, Map<ListName, Promise<WrittenList>>>();

const compress = promisify(gzip);

/** Lists are compressed once and sent often. */
const GZIP_LEVEL = 6;

/**
 * A list of the graph, written at first use.
 *
 * @param graph the router's own graph, which outlives the request.
 * @param items the wire forms of its elements, from a snapshot of the graph that stays open until the list is written.
 */
export function writtenList(graph: Graph, name: ListName, items: () => Generator<unknown>): Promise<WrittenList> {
  const lists = written.get(graph) ?? new Map<ListName, Promise<WrittenList>>();
  written.set(graph, lists);
  const known = lists.get(name);
  if (known !== undefined) return known;
  const list = write(items());
  lists.set(name, list);
  list.catch(() => lists.delete(name));
  return list;
}

async function write(items: Generator<unknown>): Promise<WrittenList> {
  const bytes = await slicedJson(items);
  const digest = createHash('sha1').update(bytes).digest('base64url');
  return { bytes, gzip: await compress(bytes, { level: GZIP_LEVEL }), etag: `W/"${digest}"` };
}
