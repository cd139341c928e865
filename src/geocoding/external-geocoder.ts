/** Geocoders of other servers, for addresses. */

import type { GeocoderConfig } from '../config/server-settings.js';
import type { Json } from '../json.js';

/** South, west, north, east in degrees. */
export type Box = readonly [south: number, west: number, north: number, east: number];

/** A place that a geocoder found. */
export interface FoundAddress {
  readonly lat: number;
  readonly lng: number;
  readonly description: string;
}

/** Why a geocoder gave no answer, in words for the client. */
class GeocoderFailure extends Error {}

/** How to request and read answers of one kind of geocoder. */
interface Dialect {
  parameters(address: string, box: Box | undefined, apiKey: string | undefined): Record<string, string | undefined>;
  read(answer: Json): Array<Partial<FoundAddress>>;
}

const MOST_FOUND = 10;
const TIMEOUT_MS = 5000;
/** Longest answer that is read, characters. */
const MOST_TEXT = 4 * 1024 * 1024;

const DIALECTS: Readonly<Record<GeocoderConfig['type'], Dialect>> = {
  nominatim: {
    parameters: (address, box, apiKey) => ({
      q: address,
      format: 'jsonv2',
      limit: String(MOST_FOUND),
      key: apiKey,
      viewbox: box === undefined ? undefined : [box[1], box[2], box[3], box[0]].join(),
      bounded: box === undefined ? undefined : '1',
    }),
    read: (answer) =>
      list(answer).map((row) => ({ lat: Number(row.lat), lng: Number(row.lon), description: text(row.display_name) })),
  },
  photon: {
    parameters: (address, box) => ({
      q: address,
      limit: String(MOST_FOUND),
      bbox: box === undefined ? undefined : [box[1], box[0], box[3], box[2]].join(),
    }),
    read: (answer) => list(answer?.features).map((feature) => point(feature, photonName(feature.properties ?? {}))),
  },
  pelias: {
    parameters: (address, box, apiKey) => ({
      text: address,
      size: String(MOST_FOUND),
      api_key: apiKey,
      'boundary.rect.min_lat': box?.[0].toString(),
      'boundary.rect.min_lon': box?.[1].toString(),
      'boundary.rect.max_lat': box?.[2].toString(),
      'boundary.rect.max_lon': box?.[3].toString(),
    }),
    read: (answer) => list(answer?.features).map((feature) => point(feature, text(feature.properties?.label))),
  },
};

const list = (value: unknown): Json[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

function point(feature: { geometry?: { coordinates?: unknown[] } }, description: string): Partial<FoundAddress> {
  const [lng, lat] = list(feature.geometry?.coordinates).map(Number);
  return { ...(lat === undefined ? {} : { lat }), ...(lng === undefined ? {} : { lng }), description };
}

/** Photon only gives the parts of an address. */
function photonName(parts: Record<string, unknown>): string {
  const street = [text(parts.street), text(parts.housenumber)].filter((part) => part !== '').join(' ');
  const named = [text(parts.name), street, text(parts.postcode), text(parts.city), text(parts.country)];
  return [...new Set(named.filter((part) => part !== ''))].join(', ');
}

/** Sends a query to one geocoder. Throws `GeocoderFailure`. */
async function askGeocoder(config: GeocoderConfig, address: string, box: Box | undefined): Promise<FoundAddress[]> {
  const dialect = DIALECTS[config.type];
  const target = new URL(config.url);
  for (const [name, value] of Object.entries(dialect.parameters(address, box, config.apiKey))) {
    if (value !== undefined) target.searchParams.set(name, value);
  }
  const answer = await fetchJson(target, config);
  return dialect
    .read(answer)
    .filter((row): row is FoundAddress => Number.isFinite(row.lat) && Number.isFinite(row.lng))
    .filter((row) => box === undefined || within(row, box))
    .slice(0, MOST_FOUND);
}

async function fetchJson(target: URL, { userAgent, type }: GeocoderConfig): Promise<unknown> {
  try {
    const response = await fetch(target, {
      headers: { Accept: 'application/json', 'User-Agent': userAgent ?? 'trestle' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new GeocoderFailure(`the geocoder answered with status ${response.status}`);
    }
    const body = await response.text();
    if (body.length > MOST_TEXT) throw new GeocoderFailure('the answer of the geocoder is too long');
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof GeocoderFailure) throw error;
    const { name } = error as Error;
    if (name === 'TimeoutError') throw new GeocoderFailure('the geocoder did not answer in time');
    if (name === 'SyntaxError') throw new GeocoderFailure(`the answer is not that of a ${type} server`);
    throw new GeocoderFailure('the geocoder cannot be reached');
  }
}

function within({ lat, lng }: FoundAddress, [south, west, north, east]: Box): boolean {
  return lat >= south && lat <= north && lng >= west && lng <= east;
}

/** Results of all geocoders, in their order; places at the same position count once. */
export interface AddressAnswer {
  readonly found: readonly FoundAddress[];
  /** Why there is no answer. */
  readonly failure?: string;
}

/** Sends a query to all geocoders at once; if one of them answers, failures of the others do not matter. */
export async function findAddress(
  geocoders: readonly GeocoderConfig[],
  address: string,
  box: Box | undefined,
): Promise<AddressAnswer> {
  if (geocoders.length === 0) return { found: [], failure: 'no geocoder configured' };
  const answers = await Promise.allSettled(geocoders.map((config) => askGeocoder(config, address, box)));
  const rejected = answers.filter((answer) => answer.status === 'rejected');
  const failure = rejected.length === answers.length ? (rejected[0]?.reason as Error | undefined)?.message : undefined;
  if (failure !== undefined) return { found: [], failure };
  const byPosition = new Map<string, FoundAddress>();
  for (const row of answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))) {
    const position = `${row.lat.toFixed(5)},${row.lng.toFixed(5)}`;
    if (!byPosition.has(position)) byPosition.set(position, row);
  }
  return { found: [...byPosition.values()] };
}
