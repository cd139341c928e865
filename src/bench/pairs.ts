/** Origins and destinations: from a file, or drawn from the stops of a graph. */

import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { Random } from './random.js';

/** A trip to request; places are written as the interface takes them. */
export interface Pair {
  from: string;
  to: string;
  /** Overrides the run's date and time. */
  date?: string;
  time?: string;
}

/** A stop to start or end at. */
export interface StopPlace {
  /** `feed:stop`, when known. */
  id?: string;
  lat: number;
  lon: number;
}

/**
 * Reads pairs from a CSV file with the columns `fromPlace`, `toPlace` or `from_lat`, `from_lon`, `to_lat`, `to_lon`,
 * and optionally `date` and `time`.
 *
 * @throws Error naming the row without these columns.
 */
export async function readPairs(path: string): Promise<Pair[]> {
  const options = { columns: true, bom: true, skip_empty_lines: true, trim: true } as const;
  const rows = parse(await readFile(path, 'utf8'), options) as Record<string, string>[];
  return rows.map((row, i) => {
    const from = row.fromPlace || coordinate(row.from_lat, row.from_lon);
    const to = row.toPlace || coordinate(row.to_lat, row.to_lon);
    if (!from || !to) {
      throw new Error(`${path}, row ${i + 2}: needs fromPlace and toPlace, or from_lat, from_lon, to_lat and to_lon`);
    }
    return { from, to, ...(row.date ? { date: row.date } : {}), ...(row.time ? { time: row.time } : {}) };
  });
}

function coordinate(lat: string | undefined, lon: string | undefined): string | undefined {
  return lat && lon ? `${lat},${lon}` : undefined;
}

/** Metres around a stop in which a trip starts or ends. */
const SPREAD_M = 250;
const METRES_PER_DEGREE = 111_195;

/** Pairs of places near two different stops; the same seed gives the same pairs. */
export function randomPairs(stops: readonly StopPlace[], count: number, seed: number): Pair[] {
  if (stops.length < 2) throw new Error('random pairs need at least two stops');
  const random = new Random(seed, 'pairs');
  const near = (stop: StopPlace): string => {
    const lat = stop.lat + random.around(SPREAD_M) / METRES_PER_DEGREE;
    const lon = stop.lon + random.around(SPREAD_M) / (METRES_PER_DEGREE * Math.cos((stop.lat * Math.PI) / 180));
    return `${lat.toFixed(6)},${lon.toFixed(6)}`;
  };
  return Array.from({ length: count }, () => {
    const from = random.pick(stops);
    let to = random.pick(stops);
    while (to === from) to = random.pick(stops);
    return { from: near(from), to: near(to) };
  });
}
