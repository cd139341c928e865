/** Areas on the map. */

import type { RouterInfo } from '../api/answers.js';

/** West, south, east and north in degrees. */
export type Bounds = [west: number, south: number, east: number, north: number];

/** The area of a router's graph. If it crosses the 180th meridian, longitudes beyond it exceed 180. */
export function boundsOf(info: RouterInfo): Bounds {
  return boundsBetween(info);
}

/** The area that is shown at first: where the stops are; without transit, the whole graph. */
export function firstBoundsOf(info: RouterInfo): Bounds {
  return boundsBetween(info.transitArea ?? info);
}

type Corners = NonNullable<RouterInfo['transitArea']>;

function boundsBetween(corners: Corners): Bounds {
  const { lowerLeftLongitude: west, upperRightLongitude: east } = corners;
  return [west, corners.lowerLeftLatitude, east < west ? east + 360 : east, corners.upperRightLatitude];
}

/** Whether a place is in an area. */
export function contains([west, south, east, north]: Bounds, { lat, lon }: { lat: number; lon: number }): boolean {
  const isBetween = (lon >= west && lon <= east) || lon + 360 <= east;
  return isBetween && lat >= south && lat <= north;
}

/** The smaller of the areas around points: with longitudes as they are, or east of 180 those of the western half. */
export function boundsAround(points: Iterable<readonly [lon: number, lat: number]>): Bounds | undefined {
  const all = [...points];
  const plain = boxAround(all);
  const across = boxAround(all.map(([lon, lat]) => [lon < 0 ? lon + 360 : lon, lat]));
  // West of Greenwich both areas are equal, and differ by rounding only.
  const isAcross = across !== undefined && across[0] < 180 && across[2] > 180;
  return isAcross && plain && across[2] - across[0] < plain[2] - plain[0] ? across : plain;
}

function boxAround(points: ReadonlyArray<readonly [lon: number, lat: number]>): Bounds | undefined {
  const bounds: Bounds = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lon, lat] of points) {
    bounds[0] = Math.min(bounds[0], lon);
    bounds[1] = Math.min(bounds[1], lat);
    bounds[2] = Math.max(bounds[2], lon);
    bounds[3] = Math.max(bounds[3], lat);
  }
  return bounds[0] > bounds[2] ? undefined : bounds;
}
