/** GBFS, versions 1 to 3: found through the discovery document, or next to each other below a base URL. */

import type { RemoteFile } from '../remote-file.js';
import { type RentalStation, station } from '../rental-station.js';
import type { SourceFacts } from './source.js';

// biome-ignore lint/suspicious/noExplicitAny: data of others; every reader checks what it takes from it
type Json = any;

/** Makes the file at a URL. */
export type OpenFile = (url: string) => RemoteFile;

const INFORMATION = 'station_information';
const STATUS = 'station_status';
/** Bikes that stand anywhere, by their name before version 3 and since. */
const FREE = ['free_bike_status', 'vehicle_status'];

/** Fetches all documents of a system. A system without bikes of its own, or without stations, is complete too. */
export async function fetchGbfs(
  url: string,
  open: OpenFile,
  facts: SourceFacts,
  signal: AbortSignal,
): Promise<RentalStation[]> {
  const feeds = await discover(url, open, signal);
  const load = async (name: string) => {
    const location = feeds.get(name);
    return location === undefined ? undefined : json(open(location), signal);
  };
  const optional = (name: string) => (feeds.get('') === undefined ? load(name) : load(name).catch(() => undefined));
  const information = await load(INFORMATION);
  const status = await load(STATUS);
  const free = (await Promise.all(FREE.map(optional))).find((found) => found !== undefined);
  const network = facts.network ?? 'GBFS';
  return [...stations(information, status, network), ...bikes(free, network)];
}

/** URLs by document name; the entry '' marks a guess below the base URL. */
async function discover(url: string, open: OpenFile, signal: AbortSignal): Promise<Map<string, string>> {
  const names = [INFORMATION, STATUS, ...FREE];
  if (!/gbfs(\.json)?(\?.*)?$/.test(url)) {
    const base = url.endsWith('/') ? url : `${url}/`;
    return new Map([['', base], ...names.map((name) => [name, `${base}${name}.json`] as const)]);
  }
  const { data } = await json(open(url), signal);
  // Version 3 lists the feeds at once, earlier ones by language.
  const feeds: Json[] = data?.feeds ?? (Object.values(data ?? {})[0] as Json)?.feeds ?? [];
  return new Map(feeds.map((feed) => [String(feed.name), String(feed.url)]));
}

async function json(file: RemoteFile, signal: AbortSignal): Promise<Json> {
  const bytes = await file.fetch(signal);
  return JSON.parse(new TextDecoder().decode(bytes));
}

function stations(information: Json, status: Json, network: string): RentalStation[] {
  const states = new Map<string, Json>(
    (status?.data?.stations ?? []).map((row: Json) => [String(row.station_id), row]),
  );
  const rows: Json[] = information?.data?.stations ?? [];
  return rows
    .map((row) => {
      const state = states.get(String(row.station_id));
      const renting = state?.is_renting !== false && state?.is_renting !== 0;
      const returning = state?.is_returning !== false && state?.is_returning !== 0;
      return station({
        id: String(row.station_id),
        name: plain(row.name),
        lat: Number(row.lat),
        lon: Number(row.lon),
        bikesAvailable: renting ? Number(state?.num_bikes_available ?? state?.num_vehicles_available ?? 0) : 0,
        spacesAvailable: returning ? Number(state?.num_docks_available ?? row.capacity ?? Number.NaN) : 0,
        networks: [network],
        realTimeData: state !== undefined,
      });
    })
    .filter((found) => found !== undefined);
}

function bikes(free: Json, network: string): RentalStation[] {
  const rows: Json[] = free?.data?.bikes ?? free?.data?.vehicles ?? [];
  return rows
    .filter((row) => !row.is_disabled && !row.is_reserved && row.lat !== undefined)
    .map((row) =>
      station({
        id: String(row.bike_id ?? row.vehicle_id),
        name: plain(row.name),
        lat: Number(row.lat),
        lon: Number(row.lon),
        bikesAvailable: 1,
        spacesAvailable: 0,
        allowDropoff: false,
        isFloatingBike: true,
        networks: [network],
      }),
    )
    .filter((found) => found !== undefined);
}

/** Version 3 gives names in several languages. */
function plain(name: unknown): string {
  if (Array.isArray(name)) return String(name[0]?.text ?? '');
  return name === undefined || name === null ? '' : String(name);
}
