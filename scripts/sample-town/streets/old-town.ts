import { streetName } from '../names.js';
import type { Tags } from '../osm/elements.js';
import type { PlanPoint } from '../town-plan.js';
import type { Quarter } from './quarter.js';

/** Lanes are 50 m apart. */
const STEPS = 16;
const STEP_M = 50;

/** A rectangle of grid positions, ends included. */
interface Rectangle {
  west: number;
  south: number;
  east: number;
  north: number;
}

const SQUARE: Rectangle = { west: 6, south: 6, east: 10, north: 10 };
const CHURCHYARD: Rectangle = { west: 2, south: 11, east: 4, north: 13 };

/** Crooked narrow lanes, cobbles, stairs, a pedestrian square around a fountain and a churchyard. */
export function drawOldTown(quarter: Quarter): void {
  const lanes = new LaneGrid(quarter);
  for (let b = 1; b < STEPS; b++) drawLane(quarter, lanes.row(b), rowTags(quarter, b));
  for (let a = 1; a < STEPS; a++) {
    for (const refs of lanes.climbs(a)) quarter.way(refs, climbTags(quarter, a));
  }
  drawSquare(quarter, lanes.ring(SQUARE));
  const churchyard = lanes.ring(CHURCHYARD);
  quarter.way([...churchyard, churchyard[0] as number], {
    highway: 'pedestrian',
    area: 'yes',
    name: 'Kirchenplatz',
    'name:en': 'Churchyard',
    surface: 'cobblestone',
  });
  drawStationElevator(quarter, lanes);
}

/** Nodes of the lanes; inside of the two open areas there are none. */
class LaneGrid {
  readonly #nodes: (number | undefined)[][] = [];

  constructor(readonly quarter: Quarter) {
    for (let b = 0; b <= STEPS; b++) {
      this.#nodes.push(Array.from({ length: STEPS + 1 }, (_, a) => this.#node(a, b)));
    }
  }

  #node(a: number, b: number): number | undefined {
    const { quarter } = this;
    const gate = (position: number) => (position % 2 === 0 ? position / 2 : undefined);
    const onCorner = (a === 0 || a === STEPS) && (b === 0 || b === STEPS);
    if (onCorner || within(SQUARE, a, b) || within(CHURCHYARD, a, b)) return undefined;
    if (b === 0 || b === STEPS) return gate(a) && quarter.gate(b === 0 ? 'south' : 'north', gate(a) as number);
    if (a === 0 || a === STEPS) return gate(b) && quarter.gate(a === 0 ? 'west' : 'east', gate(b) as number);
    const bollard = a === 2 && isPedestrian(b);
    return quarter.nodeNear(a * STEP_M, b * STEP_M, 9, bollard ? { barrier: 'bollard', bicycle: 'yes' } : undefined);
  }

  at(a: number, b: number): number | undefined {
    return this.#nodes[b]?.[a];
  }

  /** The lane from west to east, with gaps. */
  row(b: number): (number | undefined)[] {
    return this.#nodes[b] as (number | undefined)[];
  }

  /** Pieces from south to north; some are left out, but every pair of neighbouring lanes keeps its first one. */
  climbs(a: number): number[][] {
    const pieces: number[][] = [];
    for (let b = 0; b < STEPS; b++) {
      const from = this.at(a, b);
      const to = this.at(a, b + 1);
      if (from === undefined || to === undefined) continue;
      const kept = a === 1 || a === STEPS - 1 || this.quarter.random.chance(0.6);
      const last = pieces[pieces.length - 1];
      if (kept && last !== undefined && last[last.length - 1] === from && b % 4 !== 0) last.push(to);
      else if (kept) pieces.push([from, to]);
    }
    return pieces;
  }

  /** Nodes around a rectangle, counter-clockwise. */
  ring({ west, south, east, north }: Rectangle): number[] {
    const refs: number[] = [];
    for (let a = west; a < east; a++) refs.push(this.at(a, south) as number);
    for (let b = south; b < north; b++) refs.push(this.at(east, b) as number);
    for (let a = east; a > west; a--) refs.push(this.at(a, north) as number);
    for (let b = north; b > south; b--) refs.push(this.at(west, b) as number);
    return refs;
  }
}

/** Whether a grid position lies inside of a rectangle, not on its border. */
function within(area: Rectangle, a: number, b: number): boolean {
  return a > area.west && a < area.east && b > area.south && b < area.north;
}

function isPedestrian(b: number): boolean {
  return b % 5 === 3;
}

/** One way for each run of nodes without a gap. */
function drawLane(quarter: Quarter, refs: (number | undefined)[], tags: Tags): void {
  let run: number[] = [];
  for (const ref of [...refs, undefined]) {
    if (ref !== undefined) {
      run.push(ref);
      continue;
    }
    if (run.length >= 2) quarter.way(run, tags);
    run = [];
  }
}

function rowTags(quarter: Quarter, b: number): Tags {
  const name = streetName(quarter.plan.seed, 'old', quarter.column, quarter.row, b);
  const surface = quarter.random.pick(['cobblestone', 'sett', 'cobblestone:flattened', 'paving_stones']);
  if (isPedestrian(b)) return { highway: 'pedestrian', name, surface, bicycle: b % 2 === 0 ? 'yes' : 'dismount' };
  if (b % 4 === 1) return { highway: 'living_street', name, surface };
  const tags: Tags = { highway: 'residential', name, surface, maxspeed: '20' };
  if (b % 4 === 2) Object.assign(tags, { oneway: 'yes', 'oneway:bicycle': 'no' });
  return tags;
}

function climbTags(quarter: Quarter, a: number): Tags {
  const name = streetName(quarter.plan.seed, 'old-climb', quarter.column, a);
  const roll = quarter.random.next();
  if (roll < 0.08) return { highway: 'steps', name, step_count: '24', ...(roll < 0.02 ? { wheelchair: 'yes' } : {}) };
  if (roll < 0.3) return { highway: 'footway', name };
  if (roll < 0.4) return { highway: 'service', name, access: 'destination' };
  return { highway: a % 3 === 0 ? 'living_street' : 'residential', name, surface: 'cobblestone' };
}

/** The main square: a multipolygon whose hole is the fountain. */
function drawSquare(quarter: Quarter, border: number[]): void {
  const { drawing } = quarter;
  const outer = drawing.way([...border, border[0] as number], {});
  const middle = (SQUARE.west + SQUARE.east) / 2;
  const fountain = circle(quarter.point(middle * STEP_M, middle * STEP_M), 14, 8);
  const inner = drawing.ring(fountain, { natural: 'water', water: 'fountain' });
  drawing.relation(
    [
      { type: 'way', ref: outer, role: 'outer' },
      { type: 'way', ref: inner, role: 'inner' },
    ],
    {
      type: 'multipolygon',
      highway: 'pedestrian',
      area: 'yes',
      name: 'Hauptplatz',
      'name:en': 'Main Square',
      surface: 'paving_stones',
    },
  );
}

function circle(centre: PlanPoint, radius: number, count: number): PlanPoint[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (i / count) * 2 * Math.PI;
    return { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) };
  });
}

/** An elevator from the street down to an underground concourse, with stairs beside it. */
function drawStationElevator(quarter: Quarter, lanes: LaneGrid): void {
  const street = lanes.at(14, 14) as number;
  const elevator = quarter.node(712, 712, { highway: 'elevator', name: 'Lift', wheelchair: 'yes' });
  quarter.way([street, elevator], { highway: 'footway', level: '0' });
  const below = quarter.node(716, 728);
  const stairs = quarter.node(728, 716);
  quarter.way([elevator, below], { highway: 'footway', level: '-1', layer: '-1', tunnel: 'yes' });
  quarter.way([below, stairs], { highway: 'footway', level: '-1', layer: '-1', tunnel: 'yes' });
  quarter.way([stairs, street], { highway: 'steps', level: '-1;0', step_count: '30' });
}
