import { Random } from '../../../src/bench/random.js';
import { type Axis, GATES, type PlanPoint, type TownPlan } from '../town-plan.js';

/** A direction from a corner of the lattice. */
export type Direction = 'east' | 'north' | 'west' | 'south';

/** Nodes of the ring of a roundabout; arms join at every second one, from east counter-clockwise. */
export const RING_NODES = 8;
const RING_RADIUS_M = 22;
const ARMS: Record<Direction, number> = { east: 0, north: 2, west: 4, south: 6 };

/** OSM ids and places of everything on the lines of a plan. Ids are formulas, so quarters can be drawn one by one. */
export class Lattice {
  readonly #columns: number;
  readonly #rows: number;
  readonly #firstGate: { h: number; v: number };
  readonly #firstRing: number;
  readonly #firstWay: { h: number; v: number };
  /** First node id that no part of the lattice uses. */
  readonly freeNode: number;
  /** First way id that no part of the lattice uses. */
  readonly freeWay: number;

  constructor(readonly plan: TownPlan) {
    this.#columns = plan.columns.length;
    this.#rows = plan.rows.length;
    const corners = (this.#columns + 1) * (this.#rows + 1);
    const horizontal = this.#columns * (this.#rows + 1);
    const vertical = (this.#columns + 1) * this.#rows;
    this.#firstGate = { h: 1 + corners, v: 1 + corners + horizontal * GATES };
    this.#firstRing = this.#firstGate.v + vertical * GATES;
    this.freeNode = this.#firstRing + corners * RING_NODES;
    this.#firstWay = { h: 1, v: 1 + horizontal };
    this.freeWay = 1 + horizontal + vertical;
  }

  /** Node id of a crossing of two lines; not used when a roundabout is there. */
  corner(column: number, row: number): number {
    return 1 + row * (this.#columns + 1) + column;
  }

  /** Node id of the `gate`th (1 to {@link GATES}) inner node of the street from a corner to the next east or north. */
  gate(axis: Axis, column: number, row: number, gate: number): number {
    return this.#firstGate[axis] + this.#street(axis, column, row) * GATES + gate - 1;
  }

  /** Way id of the street from a corner to the next one east or north. */
  way(axis: Axis, column: number, row: number): number {
    return this.#firstWay[axis] + this.#street(axis, column, row);
  }

  /** Node id on the ring of a roundabout. */
  ring(column: number, row: number, index: number): number {
    return this.#firstRing + (row * (this.#columns + 1) + column) * RING_NODES + (index % RING_NODES);
  }

  /** Place of a ring node. */
  ringPoint(column: number, row: number, index: number): PlanPoint {
    const middle = this.plan.corner(column, row);
    const angle = (index / RING_NODES) * 2 * Math.PI;
    return { x: middle.x + RING_RADIUS_M * Math.cos(angle), y: middle.y + RING_RADIUS_M * Math.sin(angle) };
  }

  /** Node id where the street towards a direction ends at a corner. */
  arm(column: number, row: number, direction: Direction): number {
    return this.isRoundabout(column, row) ? this.ring(column, row, ARMS[direction]) : this.corner(column, row);
  }

  /** Whether the corner is a roundabout: some suburban crossings with four arms. */
  isRoundabout(column: number, row: number): boolean {
    const { plan } = this;
    if (column === 0 || row === 0 || column === this.#columns || row === this.#rows) return false;
    const around = [plan.columns[column - 1], plan.columns[column], plan.rows[row - 1], plan.rows[row]];
    if (around.some((band) => band !== 'quarters')) return false;
    if (plan.remoteness(plan.corner(column, row)) < 0.45) return false;
    return new Random(plan.seed, 'roundabout', column, row).chance(0.25);
  }

  #street(axis: Axis, column: number, row: number): number {
    return axis === 'h' ? row * this.#columns + column : row * (this.#columns + 1) + column;
  }
}
