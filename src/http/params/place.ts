import type { PlaceRequest } from '../../native/types.js';

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
