/** Places on the map. */

/** A position in degrees. */
export interface Position {
  readonly lat: number;
  readonly lon: number;
}

/** A position and the text by which it was chosen. */
export interface Place extends Position {
  readonly name?: string;
}

/** `41.15000,-8.62000`: a position as the interface takes it. */
export function formatCoordinate({ lat, lon }: Position): string {
  return `${lat.toFixed(5)},${lon.toFixed(5)}`;
}

/** Reads `lat,lon` in degrees; undefined for anything else. */
export function parseCoordinate(text: string): Position | undefined {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*[,; ]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text);
  if (!match) return undefined;
  const lat = Number(match[1]);
  const lon = Number(match[2]);
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined;
}

/** Whether two places are the same point, at the precision of the address. */
export function isSamePoint(one: Position | undefined, other: Position | undefined): boolean {
  if (!one || !other) return one === other;
  return formatCoordinate(one) === formatCoordinate(other);
}

/** Places of one name that are farther apart than this are different ones, metres. */
const LARGEST_DISTANCE = 400;
/** Metres of a degree of latitude. */
export const METRES_PER_DEGREE = 111_195;

/**
 * Whether riders regard two places as one: their names differ at most in capitals and accents, and they are close
 * together.
 */
export function areOnePlace(one: Position & { name: string }, other: Position & { name: string }): boolean {
  const isOneName = one.name.localeCompare(other.name, undefined, { sensitivity: 'base' }) === 0;
  return isOneName && metresBetween(one, other) <= LARGEST_DISTANCE;
}

function metresBetween(one: Position, other: Position): number {
  const across = (other.lon - one.lon) * Math.cos((one.lat * Math.PI) / 180);
  return Math.hypot(other.lat - one.lat, across) * METRES_PER_DEGREE;
}

/** The text of a place in a field. */
export function placeText(place: Place | undefined): string {
  return place === undefined ? '' : (place.name ?? formatCoordinate(place));
}
