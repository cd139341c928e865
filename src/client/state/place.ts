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

/** The text of a place in a field. */
export function placeText(place: Place | undefined): string {
  return place === undefined ? '' : (place.name ?? formatCoordinate(place));
}
