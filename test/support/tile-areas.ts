/** Areas of vector tiles: outlines and holes, as section 4.3.4.4 of the format asks for. */

import type { ExecutionContext } from 'ava';
import type { TileFeature } from './vector-tile.js';

type Point = { readonly x: number; readonly y: number };
type Ring = readonly Point[];

/** The sides of a closed ring. */
const sides = (ring: Ring): [Point, Point][] =>
  ring.slice(1).map((end, i) => [ring[i] ?? end, end] satisfies [Point, Point]);

/** Positive for outlines. */
function signedArea(ring: Ring): number {
  return sides(ring).reduce((sum, [a, b]) => sum + a.x * b.y - b.x * a.y, 0) / 2;
}

/** Whether a point is on a ring or inside it. */
function covers(ring: Ring, { x, y }: Point): boolean {
  let inside = false;
  for (const [a, b] of sides(ring)) {
    const turn = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
    const isBeside = Math.min(a.x, b.x) <= x && x <= Math.max(a.x, b.x);
    if (turn === 0 && isBeside && Math.min(a.y, b.y) <= y && y <= Math.max(a.y, b.y)) return true;
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

/**
 * Checks that each ring of a feature is closed and has an area, that the first is an outline, and that holes are in the
 * outline before them. Returns how many there are of each.
 */
export function checkedRings(t: ExecutionContext, { type, parts }: TileFeature): { outlines: number; holes: number } {
  t.is(type, 3);
  let [outline, outlines, holes]: [Ring, number, number] = [[], 0, 0];
  for (const ring of parts) {
    const area = signedArea(ring);
    t.deepEqual(ring.at(0), ring.at(-1));
    t.not(area, 0);
    if (area > 0) {
      [outline, outlines] = [ring, outlines + 1];
    } else {
      t.true(ring.every((point) => covers(outline, point)));
      holes += 1;
    }
  }
  return { outlines, holes };
}
