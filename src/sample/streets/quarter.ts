import type { Tags } from "../osm/sink.js";
import type { PlanPoint, TownPlan } from "../plan.js";
import { Random } from "../random.js";
import type { Drawing } from "./drawing.js";

/** Side of a quarter. */
export type Side = "south" | "east" | "north" | "west";

/** One quarter under construction: its own coordinates, its gates to the streets around it, its random numbers. */
export class Quarter {
  readonly random: Random;

  constructor(
    readonly drawing: Drawing,
    readonly column: number,
    readonly row: number,
  ) {
    this.random = new Random(this.plan.seed, "quarter", column, row);
  }

  get plan(): TownPlan {
    return this.drawing.lattice.plan;
  }

  /** The plan point `east` and `north` metres from the south-west corner (a quarter is 800 m wide). */
  point(east: number, north: number): PlanPoint {
    const origin = this.plan.corner(this.column, this.row);
    return { x: origin.x + east, y: origin.y + north };
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
    const { lattice } = this.drawing;
    switch (side) {
      case "south":
        return lattice.gate("h", this.column, this.row, gate);
      case "north":
        return lattice.gate("h", this.column, this.row + 1, gate);
      case "west":
        return lattice.gate("v", this.column, this.row, gate);
      case "east":
        return lattice.gate("v", this.column + 1, this.row, gate);
    }
  }

  /** A new way. */
  way(refs: readonly number[], tags: Tags): number {
    return this.drawing.way(refs, tags);
  }
}
