import { streetName } from '../names.js';
import type { Tags } from '../osm/elements.js';
import type { Quarter } from './quarter.js';

/** East and north of the quarter's south-west corner, in units of 50 m. */
export type Place = readonly [number, number];

const UNIT_M = 50;
/** Metres of street to a house. */
const HOUSE_M = 22;

/** A street through given places, with houses between them; gives the nodes of the places. */
export function drawStreet(
  quarter: Quarter,
  ends: { from?: number; to?: number },
  places: readonly Place[],
  tags: Tags,
): number[] {
  const { random } = quarter;
  const refs: number[] = ends.from === undefined ? [] : [ends.from];
  const corners: number[] = [];
  const plots: number[] = [];
  places.forEach(([east, north], i) => {
    const before = places[i - 1];
    if (before) {
      const houses = Math.floor((Math.hypot(east - before[0], north - before[1]) * UNIT_M) / HOUSE_M);
      for (let house = 1; house < houses; house++) {
        const share = house / houses;
        const node = quarter.nodeNear(lerp(before[0], east, share) * UNIT_M, lerp(before[1], north, share) * UNIT_M, 4);
        refs.push(node);
        if (random.chance(0.75)) plots.push(node, lerp(before[0], east, share), lerp(before[1], north, share));
      }
    }
    const corner = quarter.nodeNear(east * UNIT_M, north * UNIT_M, 8);
    refs.push(corner);
    corners.push(corner);
  });
  if (ends.to !== undefined) refs.push(ends.to);
  quarter.way(refs, tags);
  drawPlots(quarter, plots);
  return corners;
}

function drawPlots(quarter: Quarter, plots: number[]): void {
  const { random } = quarter;
  for (let i = 0; i < plots.length; i += 3) {
    const [street, east, north] = plots.slice(i, i + 3) as [number, number, number];
    const garage = quarter.nodeNear(east * UNIT_M + random.pick([-16, 16]), north * UNIT_M + random.pick([-16, 16]), 3);
    quarter.way([street, garage], {
      highway: 'service',
      service: 'driveway',
      access: random.pick(['private', 'private', 'destination']),
    });
  }
}

function lerp(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** Name of the `index`th street of a quarter. */
export function localName(quarter: Quarter, index: number): string {
  return streetName(quarter.plan.seed, 'suburb', quarter.column, quarter.row, index);
}
