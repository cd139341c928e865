/** Where a place of a point set is, as one point. */

import type { PointSet } from '../../serialization/answers/index.js';

/**
 * Latitude and longitude of a place: its point, or the centre of its area; if it has no area, the mean of its corners.
 * The server has the same centres, except of areas with holes: it sends their outer ring alone.
 */
export function centreOf({ geometry }: PointSet['features'][number]): [lat: number, lon: number] {
  if (geometry.type === 'Point') return [geometry.coordinates[1], geometry.coordinates[0]];
  const ring = geometry.coordinates[0] ?? [];
  const [firstLon, firstLat] = ring[0] ?? [0, 0];
  const corners = offsets(ring);
  const [east, north] = centroid(corners) ?? mean(corners);
  return [firstLat + north, usual(firstLon + east)];
}

type Offset = readonly [east: number, north: number];

/**
 * Degrees from the first corner of a ring to each of its corners. Each side is the shorter way from corner to corner,
 * also across the 180th meridian; sides around the whole Earth, and rings around a pole, are as in a plane.
 */
function offsets(ring: ReadonlyArray<readonly [lon: number, lat: number]>): Offset[] {
  const [firstLon, firstLat] = ring[0] ?? [0, 0];
  let [turns, before] = [0, firstLon];
  const there = ring.map(([lon, lat]): Offset => {
    const side = lon - before;
    if (Math.abs(side) > 180 && Math.abs(side) < 360) turns -= Math.sign(side);
    before = lon;
    return [lon - firstLon + 360 * turns, lat - firstLat];
  });
  const isClosed = Math.abs(there.at(-1)?.[0] ?? 0) < 360;
  return isClosed ? there : ring.map(([lon, lat]) => [lon - firstLon, lat - firstLat]);
}

/** The same longitude within 180 degrees of zero. */
function usual(lon: number): number {
  return Math.abs(lon) <= 180 ? lon : lon - 360 * Math.round(lon / 360);
}

/** The centre of gravity of a closed ring, undefined if it has no area. */
function centroid(ring: readonly Offset[]): Offset | undefined {
  let [area, east, north] = [0, 0, 0];
  let last = ring[0] ?? [0, 0];
  for (const corner of ring) {
    const cross = last[0] * corner[1] - corner[0] * last[1];
    area += cross;
    east += (last[0] + corner[0]) * cross;
    north += (last[1] + corner[1]) * cross;
    last = corner;
  }
  return area === 0 ? undefined : [east / (3 * area), north / (3 * area)];
}

function mean(corners: readonly Offset[]): Offset {
  const sum = (axis: 0 | 1) => corners.reduce((total, corner) => total + corner[axis], 0);
  return [sum(0) / corners.length, sum(1) / corners.length];
}
