import { ISLAND_STEP_M, ISLAND_STREETS, islandOrigin, riverMiddle } from '../places.js';
import { LAKE_M } from '../terrain.js';
import type { PlanPoint } from '../town-plan.js';
import type { Drawing } from './drawing.js';

/** River, footbridge, lake, the island town and an islet too small to count. */
export function drawWaterside(drawing: Drawing): void {
  const { plan } = drawing.lattice;
  const [west, east] = [(plan.x[0] as number) - 400, (plan.x[plan.columns.length] as number) + 100];
  const course: PlanPoint[] = [];
  for (let x = west; x < east; x += 200) course.push(riverMiddle(plan, x));
  drawing.way(drawing.nodes(course), { waterway: 'river', name: 'Ache', 'name:en': 'Ache River' });
  drawFootbridge(drawing);
  drawLake(drawing, east);
  drawIsland(drawing);
  drawIslet(drawing);
}

/** A bridge for walking and cycling halfway between two bridges for cars, with stairs on the south bank. */
function drawFootbridge(drawing: Drawing): void {
  const { lattice } = drawing;
  const { plan } = lattice;
  const row = plan.rows.indexOf('river');
  const column = plan.centre.column;
  const point = (share: number, y: number): PlanPoint => ({ x: plan.along('h', column, row, share).x, y });
  const [south, north] = [plan.y[row] as number, plan.y[row + 1] as number];
  const heads = drawing.nodes([point(0.5, south + 25), point(0.5, north - 25)]) as [number, number];
  drawing.way([lattice.gate('h', column, row, 4), heads[0]], { highway: 'steps', ramp: 'yes' });
  drawing.way(heads, {
    highway: 'footway',
    bicycle: 'yes',
    bridge: 'yes',
    layer: '1',
    name: 'Ponte dos Ferreiros',
    'name:de': 'Schmiedesteg',
  });
  drawing.way([heads[1], lattice.gate('h', column, row + 1, 4)], { highway: 'footway', bicycle: 'yes' });
}

function drawLake(drawing: Drawing, west: number): void {
  const { plan } = drawing.lattice;
  const middle = riverMiddle(plan, west).y;
  const shore = Array.from({ length: 24 }, (_, i) => {
    const angle = (i / 24) * 2 * Math.PI;
    return { x: west + LAKE_M * 0.55 + LAKE_M * 0.5 * Math.cos(angle), y: middle + 700 * Math.sin(angle) };
  });
  drawing.ring(shore, { natural: 'water', water: 'lake', name: 'Achsee' });
}

/** A grid of lanes, large enough to be kept as an island of its own. */
function drawIsland(drawing: Drawing): void {
  const origin = islandOrigin(drawing.lattice.plan);
  const rows = Array.from({ length: ISLAND_STREETS }, (_, b) =>
    drawing.nodes(
      Array.from({ length: ISLAND_STREETS }, (_, a) => ({
        x: origin.x + a * ISLAND_STEP_M,
        y: origin.y + b * ISLAND_STEP_M,
      })),
    ),
  );
  rows.forEach((row, b) => {
    drawing.way(row, {
      highway: b === 3 ? 'residential' : 'living_street',
      name: `Inselzeile ${b + 1}`,
      motor_vehicle: 'no',
    });
  });
  for (let a = 0; a < ISLAND_STREETS; a++) {
    const column = rows.map((row) => row[a] as number);
    drawing.way(column, { highway: a % 2 === 0 ? 'footway' : 'residential', name: `Inselweg ${a + 1}` });
  }
}

/** A private islet with one path; a build removes it. */
function drawIslet(drawing: Drawing): void {
  const origin = islandOrigin(drawing.lattice.plan);
  const points = [0, 1, 2, 3].map((i) => ({ x: origin.x + 100 * i, y: origin.y - 260 - 12 * i }));
  drawing.way(drawing.nodes(points), { highway: 'path', name: 'Robinsonweg' });
}
