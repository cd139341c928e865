/** Where the stops for random pairs come from: a running server's index, or the feeds beside a graph. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { withZipFile } from '../zip-file.js';
import type { StopPlace } from './pairs.js';

/** The stops that a server lists; undefined when it has no such list. */
export async function stopsOfServer(base: string, router: string): Promise<StopPlace[] | undefined> {
  const response = await fetch(`${base}/routers/${encodeURIComponent(router)}/index/stops`);
  if (!response.ok) return undefined;
  const stops = (await response.json()) as StopPlace[];
  return Array.isArray(stops) ? stops.map(({ id, lat, lon }) => ({ id, lat, lon })) : undefined;
}

/** The stops of all feeds (`*.zip` with a stops.txt) in a directory, without stations and entrances. */
export async function stopsOfFeeds(directory: string): Promise<StopPlace[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.zip')).sort();
  const lists = await Promise.all(names.map((name) => stopsOfFeed(join(directory, name))));
  return lists.flat();
}

async function stopsOfFeed(path: string): Promise<StopPlace[]> {
  const content = await readEntry(path, 'stops.txt');
  if (content === undefined) return [];
  const rows = parse(content, { columns: true, bom: true, relax_column_count: true }) as Record<string, string>[];
  return rows
    .filter((row) => !row.location_type || row.location_type === '0')
    .map((row) => ({ lat: Number(row.stop_lat), lon: Number(row.stop_lon) }))
    .filter(({ lat, lon }) => Number.isFinite(lat) && Number.isFinite(lon));
}

/** Text of one entry of a zip; undefined when there is none of that name. */
function readEntry(path: string, name: string): Promise<string | undefined> {
  return withZipFile(path, async (zip) => {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName === name) return await text(await zip.openReadStreamPromise(entry));
    }
    return undefined;
  });
}
