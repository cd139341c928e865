import type { PlanPoint, TownPlan } from './town-plan.js';

/** A position in degrees. */
export interface LatLon {
  lat: number;
  lon: number;
}

const CENTRE: LatLon = { lat: 48.02, lon: 15.05 };
const METRES_PER_DEGREE = 111_194.9;

/** The land under a plan: where its points lie on earth and how high. */
export class Terrain {
  readonly #plan: TownPlan;
  readonly #metresPerLon = METRES_PER_DEGREE * Math.cos((CENTRE.lat * Math.PI) / 180);
  /** Top of the hill that the funicular climbs. */
  readonly summit: PlanPoint;

  constructor(plan: TownPlan) {
    this.#plan = plan;
    const column = plan.centre.column + 1;
    const row = plan.centre.row + 1;
    const middle = plan.along('h', column, row, 0.5);
    this.summit = { x: middle.x, y: middle.y + 400 };
  }

  /**
   * Position of a plan point. The plan is bent by a shear along each axis, so that streets and the river curve but
   * never cross where they did not before.
   */
  locate(point: PlanPoint): LatLon {
    const y = point.y + 190 * Math.sin(point.x / 690) + 60 * Math.sin(point.x / 245 + 1);
    const x = point.x + 150 * Math.sin(y / 830 + 2) + 40 * Math.sin(y / 301);
    return { lat: CENTRE.lat + y / METRES_PER_DEGREE, lon: CENTRE.lon + x / this.#metresPerLon };
  }

  /** Metres between two plan points as the crow flies. */
  distance(a: PlanPoint, b: PlanPoint): number {
    const from = this.locate(a);
    const to = this.locate(b);
    return Math.hypot((to.lat - from.lat) * METRES_PER_DEGREE, (to.lon - from.lon) * this.#metresPerLon);
  }

  /** Height above sea level in metres at a position. */
  height(position: LatLon): number {
    const x = (position.lon - CENTRE.lon) * this.#metresPerLon;
    const y = (position.lat - CENTRE.lat) * METRES_PER_DEGREE;
    const summit = this.locate(this.summit);
    const dx = x - (summit.lon - CENTRE.lon) * this.#metresPerLon;
    const dy = y - (summit.lat - CENTRE.lat) * METRES_PER_DEGREE;
    const hill = 95 * Math.exp(-(dx * dx + dy * dy) / (2 * 330 * 330));
    const slope = 0.004 * y + 12 * Math.sin(x / 1700) * Math.cos(y / 2100);
    return 240 + hill + slope;
  }

  /** South-west and north-east corner of a box around everything the sample draws. */
  bounds(): { south: number; west: number; north: number; east: number } {
    const plan = this.#plan;
    const margin = 600;
    const west = (plan.x[0] as number) - margin;
    const east = (plan.x[plan.x.length - 1] as number) + LAKE_M + margin;
    const south = (plan.y[0] as number) - margin;
    const north = (plan.y[plan.y.length - 1] as number) + margin;
    return {
      south: CENTRE.lat + south / METRES_PER_DEGREE,
      north: CENTRE.lat + north / METRES_PER_DEGREE,
      west: CENTRE.lon + west / this.#metresPerLon,
      east: CENTRE.lon + east / this.#metresPerLon,
    };
  }
}

/** Width of the lake east of the town, where the river ends and the islands lie. */
export const LAKE_M = 2000;
