/** Places in parameters and bodies. */

import type { PlaceRequest } from '../../native/types.js';
import { quoted } from '../../quoted.js';
import { BadParameter } from './bad-parameter.js';

/**
 * Latitude and longitude separated by a comma or blanks, anywhere in the text; no plus sign. They have no exponents,
 * except those of numbers near 0: R and Python write 0.00005 as 5e-05.
 */
const COORDINATE = /(-?\d+(?:\.\d+)?(?:e-\d{1,3})?)(?:\s*,\s*|\s+)(-?\d+(?:\.\d+)?(?:e-\d{1,3})?)/i;

/** Longest text in which a coordinate is looked for, to limit the expression's work; a longer one is a label. */
const MAX_LENGTH = 1000;

/** Begins the labels of rental stations; the ids of some systems contain the coordinate, in another order. */
const RENTAL_STATION = 'bike rental station ';

/** Reads `[name::]place`: a coordinate, else the label of a vertex. A missing place is an empty label. */
export function parsePlace(text: string | undefined): PlaceRequest {
  const [name, place] = splitName(text ?? '');
  const mayBeCoordinate = place.length <= MAX_LENGTH && !place.startsWith(RENTAL_STATION);
  const match = mayBeCoordinate ? COORDINATE.exec(place) : null;
  if (match) return { name, lat: Number(match[1]), lon: Number(match[2]), label: '' };
  return { name, label: place };
}

/** Whether degrees are those of a place on Earth. */
export function isOnEarth(lat: number, lon: number): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
}

function splitName(text: string): [name: string, place: string] {
  const at = text.indexOf('::');
  return at < 0 ? ['', text] : [text.slice(0, at), text.slice(at + 2)];
}

/** Reads `lat,lon`, which is stricter than the places of routing parameters. */
export function parseLocation(text: string, parameter: string): [lat: number, lon: number] {
  const [lat, lon, ...rest] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (lat === undefined || lon === undefined || rest.length > 0 || !Number.isFinite(lat) || !Number.isFinite(lon)) {
    throw new BadParameter(parameter, `${quoted(text)} is not lat,lon`);
  }
  return [lat, lon];
}

/** JSON Schema of a list of [lat, lon] in degrees. */
export const PLACES_SCHEMA = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'array',
    prefixItems: [
      { type: 'number', minimum: -90, maximum: 90 },
      { type: 'number', minimum: -180, maximum: 180 },
    ],
    minItems: 2,
  },
} as const;

/** Reads a list of [lat, lon]. */
export function places(value: unknown, name: string): Float64Array {
  if (!Array.isArray(value)) throw new BadParameter(name, 'is not a list of [lat, lon]');
  // A list of lists would be several times as large, and the event loop would wait for it.
  const flat = new Float64Array(2 * value.length);
  for (const [i, place] of value.entries()) {
    const [lat, lon] = Array.isArray(place) ? (place as unknown[]) : [];
    if (typeof lat !== 'number' || typeof lon !== 'number' || !isOnEarth(lat, lon)) {
      throw new BadParameter(name, `place ${i + 1} is not [lat, lon]`);
    }
    flat.set([lat, lon], 2 * i);
  }
  return flat;
}
