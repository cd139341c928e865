import { Random } from '../../../src/bench/random.js';
import type { Tags } from '../osm/elements.js';
import { GATES, type PlanPoint, type TownPlan } from '../town-plan.js';
import type { Drawing } from './drawing.js';

export type Side = 'south' | 'east' | 'north' | 'west';

/** How a drawing is placed in a quarter: mirrored, or with east and north exchanged. */
interface Layout {
  mirrorEast: boolean;
  mirrorNorth: boolean;
  exchange: boolean;
}

const QUARTER_M = 800;
const OPPOSITE: Record<Side, Side> = { south: 'north', north: 'south', east: 'west', west: 'east' };
const EXCHANGED: Record<Side, Side> = { south: 'west', west: 'south', north: 'east', east: 'north' };

/** One quarter under construction: its own coordinates, its gates to the streets around it, its random numbers. */
export class Quarter {
  readonly random: Random;
  #layout: Layout = { mirrorEast: false, mirrorNorth: false, exchange: false };

  constructor(
    readonly drawing: Drawing,
    readonly column: number,
    readonly row: number,
  ) {
    this.random = new Random(this.plan.seed, 'quarter', column, row);
  }

  get plan(): TownPlan {
    return this.drawing.lattice.plan;
  }

  /** Places everything that is drawn from now on in one of eight orientations, so that quarters of one kind differ. */
  turn(): void {
    const { random } = this;
    this.#layout = { mirrorEast: random.chance(0.5), mirrorNorth: random.chance(0.5), exchange: random.chance(0.5) };
  }

  /** The plan point `east` and `north` metres from the south-west corner (a quarter is 800 m wide). */
  point(east: number, north: number): PlanPoint {
    const { mirrorEast, mirrorNorth, exchange } = this.#layout;
    const e = mirrorEast ? QUARTER_M - east : east;
    const n = mirrorNorth ? QUARTER_M - north : north;
    const origin = this.plan.corner(this.column, this.row);
    return exchange ? { x: origin.x + n, y: origin.y + e } : { x: origin.x + e, y: origin.y + n };
  }

  /** A new node inside the quarter. */
  node(east: number, north: number, tags?: Tags): number {
    return this.drawing.node(this.point(east, north), tags);
  }

  /** A new node up to `spread` metres from a place. */
  nodeNear(east: number, north: number, spread: number, tags?: Tags): number {
    return this.node(east + this.random.around(spread), north + this.random.around(spread), tags);
  }

  /** The existing node on the street at a side, `gate` × 100 m from its west or south end. */
  gate(side: Side, gate: number): number {
    const { mirrorEast, mirrorNorth, exchange } = this.#layout;
    const runsEast = side === 'south' || side === 'north';
    const sideMirrored = runsEast ? mirrorNorth : mirrorEast;
    const gateMirrored = runsEast ? mirrorEast : mirrorNorth;
    const laid = sideMirrored ? OPPOSITE[side] : side;
    return this.#latticeGate(exchange ? EXCHANGED[laid] : laid, gateMirrored ? GATES + 1 - gate : gate);
  }

  way(refs: readonly number[], tags: Tags): number {
    return this.drawing.way(refs, tags);
  }

  #latticeGate(side: Side, gate: number): number {
    const { lattice } = this.drawing;
    switch (side) {
      case 'south':
        return lattice.gate('h', this.column, this.row, gate);
      case 'north':
        return lattice.gate('h', this.column, this.row + 1, gate);
      case 'west':
        return lattice.gate('v', this.column, this.row, gate);
      case 'east':
        return lattice.gate('v', this.column + 1, this.row, gate);
    }
  }
}
