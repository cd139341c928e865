import { LAKE_M } from './terrain.js';
import type { Corner, PlanPoint, TownPlan } from './town-plan.js';

/** Streets along each side of the island. */
export const ISLAND_STREETS = 8;
/** Metres between them. */
export const ISLAND_STEP_M = 60;
/** Metres between the railway and the street north of the river. */
const TRACK_OFFSET_M = 40;

/** The river's middle line at a place along it. */
export function riverMiddle(plan: TownPlan, x: number): PlanPoint {
  const row = plan.rows.indexOf('river');
  return { x, y: ((plan.y[row] as number) + (plan.y[row + 1] as number)) / 2 };
}

/** South-west corner of the island in the lake, which no bridge reaches. */
export function islandOrigin(plan: TownPlan): PlanPoint {
  const x = (plan.x[plan.columns.length] as number) + LAKE_M * 0.4;
  return { x, y: riverMiddle(plan, x).y - 200 };
}

/** Where the ferry lands on the island. */
export function islandPier(plan: TownPlan): PlanPoint {
  const { x, y } = islandOrigin(plan);
  return { x: x - 4, y: y + 3 * ISLAND_STEP_M };
}

/** Stations along the river's north bank: at every second line, at the ends, and east of the motorways. */
export function railHalts(plan: TownPlan): Corner[] {
  const row = plan.rows.indexOf('river') + 1;
  const ends = [plan.columns.indexOf('quarters'), plan.columns.lastIndexOf('quarters')];
  return plan.columns.flatMap((band, column) => {
    const second = (column - plan.centre.column) % 2 === 0;
    const halt = second || ends.includes(column) || plan.columns[column - 1] === 'motorway';
    return band === 'quarters' && halt ? [{ column, row }] : [];
  });
}

/** Stations of the railways that cross the river, one line beside each motorway: at every third line. */
export function crossTownHalts(plan: TownPlan): Corner[][] {
  const bank = plan.rows.indexOf('river') + 1;
  const rows = plan.rows.flatMap((band, row) => (band === 'quarters' && (row - bank) % 3 === 0 ? [row] : []));
  return plan.columns.flatMap((band, column) =>
    band === 'motorway' ? [rows.map((row) => ({ column: column + 1, row }))] : [],
  );
}

/** Place of a railway station. */
export function railPoint(plan: TownPlan, halt: Corner): PlanPoint {
  const corner = plan.corner(halt.column, halt.row);
  return { x: corner.x + 65, y: corner.y + TRACK_OFFSET_M };
}
