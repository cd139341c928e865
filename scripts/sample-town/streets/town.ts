import type { QuarterKind } from '../town-plan.js';
import { drawArterials, drawLatticeNodes } from './arterials.js';
import { drawBlocks } from './blocks.js';
import type { Drawing } from './drawing.js';
import { drawMotorways } from './motorway.js';
import { drawOldTown } from './old-town.js';
import { drawCountryside, drawEstate, drawIndustry } from './outskirts.js';
import { drawPark } from './park.js';
import { drawParkAndRide } from './park-and-ride.js';
import { Quarter } from './quarter.js';
import { drawStations } from './stations.js';
import { drawSuburb } from './suburb.js';
import { drawTurnRestrictions } from './turn-restrictions.js';
import { drawWaterside } from './waterside.js';

const BUILDERS: Record<QuarterKind, (quarter: Quarter) => void> = {
  oldTown: drawOldTown,
  blocks: drawBlocks,
  estate: drawEstate,
  suburb: drawSuburb,
  park: drawPark,
  industry: drawIndustry,
  countryside: drawCountryside,
};

/** Draws the whole town, quarter by quarter, so that only the writer keeps anything. */
export function drawTown(drawing: Drawing): void {
  const { plan } = drawing.lattice;
  drawLatticeNodes(drawing);
  drawArterials(drawing);
  for (const { column, row } of plan.quarterCorners()) {
    BUILDERS[plan.quarterKind(column, row)](new Quarter(drawing, column, row));
  }
  drawMotorways(drawing);
  drawParkAndRide(drawing);
  drawWaterside(drawing);
  drawStations(drawing);
  drawTurnRestrictions(drawing);
}
