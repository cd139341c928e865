import type { PlaceRequest } from '../../native/types.js';

/** Latitude and longitude with a comma or blanks between them, anywhere in the text; no exponents, no plus sign. */
const COORDINATE = /(-?\d+(?:\.\d+)?)(?:\s*,\s*|\s+)(-?\d+(?:\.\d+)?)/;

/** Longest text that is searched for a coordinate; a longer one is a label. Keeps the expression's work small. */
const MAX_LENGTH = 1000;

/** Reads `[name::]place`: a coordinate, else the label of a vertex. A missing place is an empty label. */
export function parsePlace(text: string | undefined): PlaceRequest {
  const [name, place] = splitName(text ?? '');
  const match = place.length <= MAX_LENGTH ? COORDINATE.exec(place) : null;
  if (match) return { name, lat: Number(match[1]), lon: Number(match[2]), label: '' };
  return { name, label: place };
}

function splitName(text: string): [name: string, place: string] {
  const at = text.indexOf('::');
  return at < 0 ? ['', text] : [text.slice(0, at), text.slice(at + 2)];
}
