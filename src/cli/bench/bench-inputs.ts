/** The arguments of `trestle bench`, and the places that its requests are between. */

import path from 'node:path';
import { type Pair, randomPairs, readPairs, type StopPlace } from '../../bench/pairs.js';
import { stopsOfFeeds, stopsOfServer } from '../../bench/stops.js';
import { CommandFailure, EXIT } from '../failure.js';
import { readNamed } from '../named-file.js';
import { assignment } from '../option-values.js';

export interface BenchArguments {
  graphs: string;
  router: string;
  url?: string;
  inProcess: boolean;
  http: boolean;
  compare?: string;
  compareRouter?: string;
  pairs?: string;
  feeds?: string;
  count: number;
  seed: number;
  check?: 'dominated';
  suite?: 'scale';
  peers?: boolean;
  sizes: number[];
  scratch?: string;
  report: string;
  tripUpdates: number;
  kinds: string[];
  workers: number[];
  warmUp: number;
  rounds: number;
  date?: string;
  time: string;
  set: string[];
  json?: string | true;
}

/**
 * The stops of the given feeds; without these, the stops that the running server lists; without a server, those of the
 * feeds beside the graph.
 */
export async function findStops(
  { feeds, graphs, router }: BenchArguments,
  base: string | undefined,
): Promise<StopPlace[]> {
  const listed = base === undefined || feeds ? undefined : await stopsOfServer(base, router).catch(() => undefined);
  const stops = listed ?? (await stopsOfFeeds(feeds ?? path.join(graphs, router)).catch(() => []));
  if (stops.length < 2) {
    throw new CommandFailure(`no stops found for router ${router}: give pairs with --pairs or --feeds`, EXIT.usage);
  }
  return stops;
}

/** The pairs of the given file, or else random ones near stops. */
export async function findPairs({ pairs, count, seed }: BenchArguments, stops: readonly StopPlace[]): Promise<Pair[]> {
  return pairs === undefined ? randomPairs(stops, count, seed) : (await readNamed(pairs, readPairs)).slice(0, count);
}

/** The request parameters given by `--set`. */
export function settingsOf({ set }: BenchArguments): Record<string, string> {
  return Object.fromEntries(set.map((text) => assignment('--set', text)));
}
