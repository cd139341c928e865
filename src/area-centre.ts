/** The centre of an area on the Earth. */

/** Degrees. */
export type Position = readonly [lon: number, lat: number];

/**
 * Centre of gravity of an area; if it has no size, the mean of the corners of its outline. The rings are closed, the
 * outline first and then any holes.
 */
export function areaCentre([outline = [], ...holes]: ReadonlyArray<readonly Position[]>): [lon: number, lat: number] {
  const origin = outline[0] ?? [0, 0];
  const corners = offsets(outline, origin);
  let [area, x, y] = moments(corners);
  for (const hole of holes) {
    const [without, holeX, holeY] = moments(offsets(hole, origin));
    [area, x, y] = [area - without, x - holeX, y - holeY];
  }
  const mean = (index: 0 | 1) => corners.reduce((sum, corner) => sum + corner[index], 0) / corners.length;
  const [east, north] = area > 0 ? [x / (3 * area), y / (3 * area)] : [mean(0), mean(1)];
  return [usual(origin[0] + east), origin[1] + north];
}

/**
 * Degrees from `origin` to each position of a ring. Each side is the shorter way from corner to corner, also across the
 * 180th meridian; sides around the whole Earth, and rings around a pole, are as in a plane.
 */
function offsets(ring: readonly Position[], [lon, lat]: Position): Position[] {
  let [turns, before] = [0, lon];
  const there = ring.map(([x, y]): Position => {
    const side = x - before;
    if (Math.abs(side) > 180 && Math.abs(side) < 360) turns -= Math.sign(side);
    before = x;
    return [x - lon + 360 * turns, y - lat];
  });
  const [first, last] = [there[0], there.at(-1)];
  const isClosed = first !== undefined && last !== undefined && Math.abs(first[0] - last[0]) < 360;
  return isClosed ? there : ring.map(([x, y]) => [x - lon, y - lat]);
}

/** The same longitude within 180 degrees of zero. */
function usual(lon: number): number {
  return Math.abs(lon) <= 180 ? lon : lon - 360 * Math.round(lon / 360);
}

/** Twice the area of a ring, and six times its moments, whichever way round it is. */
function moments(ring: readonly Position[]): [area: number, x: number, y: number] {
  let [area, x, y] = [0, 0, 0];
  for (let i = 0; i + 1 < ring.length; i += 1) {
    const [ax, ay] = ring[i] ?? [0, 0];
    const [bx, by] = ring[i + 1] ?? [0, 0];
    const cross = ax * by - bx * ay;
    area += cross;
    x += (ax + bx) * cross;
    y += (ay + by) * cross;
  }
  const turn = area < 0 ? -1 : 1;
  return [turn * area, turn * x, turn * y];
}
