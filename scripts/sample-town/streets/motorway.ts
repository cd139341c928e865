import type { Tags } from '../osm/elements.js';
import type { PlanPoint, TownPlan } from '../town-plan.js';
import type { Drawing } from './drawing.js';

/** Metres between nodes of a carriageway where nothing leaves, joins or changes. */
const STEP_M = 250;
/** A ramp leaves or joins the motorway this far before or after the street it serves. */
const RAMP_M = 330;
/** Gate of the street beside the motorway where ramps end: before and after a crossing street. */
const GATE_BEFORE = 6;
const GATE_AFTER = 2;
const CARRIAGEWAY_INSET_M = 50;

/** Where on a carriageway a ramp leaves or joins. */
interface Ramp {
  y: number;
  gate: number;
  leaves: boolean;
  number: number;
}

/** All motorways of the plan: two carriageways, ramps to the streets on both sides, a toll tunnel. */
export function drawMotorways(drawing: Drawing): void {
  const { plan } = drawing.lattice;
  plan.columns.forEach((band, column) => {
    if (band !== 'motorway') return;
    drawCarriageway(drawing, column, 'north');
    drawCarriageway(drawing, column, 'south');
    drawFootbridge(drawing, column);
  });
}

/** Rows of the crossing streets with an interchange: quarters on both sides, every third line. */
function interchanges(plan: TownPlan): number[] {
  const rows: number[] = [];
  for (let row = 1; row < plan.rows.length; row++) {
    if (plan.rows[row - 1] !== 'quarters' || plan.rows[row] !== 'quarters') continue;
    if ((row - plan.centre.row) % 3 === 0) rows.push(row);
  }
  return rows;
}

function ramps(drawing: Drawing, column: number, heading: 'north' | 'south'): Ramp[] {
  const { lattice } = drawing;
  const { plan } = lattice;
  const side = heading === 'north' ? column + 1 : column;
  const forward = heading === 'north' ? 1 : -1;
  return interchanges(plan).flatMap((row, i) => {
    const y = plan.y[row] as number;
    const below = lattice.gate('v', side, row - 1, GATE_BEFORE);
    const above = lattice.gate('v', side, row, GATE_AFTER);
    const exit = { y: y - forward * RAMP_M, gate: forward > 0 ? below : above, leaves: true, number: i + 1 };
    const entry = { y: y + forward * RAMP_M, gate: forward > 0 ? above : below, leaves: false, number: i + 1 };
    return [exit, entry];
  });
}

function drawCarriageway(drawing: Drawing, column: number, heading: 'north' | 'south'): void {
  const { lattice } = drawing;
  const { plan } = lattice;
  const north = heading === 'north';
  const x = north
    ? (plan.x[column + 1] as number) - CARRIAGEWAY_INSET_M
    : (plan.x[column] as number) + CARRIAGEWAY_INSET_M;
  const [bottom, top] = [(plan.y[0] as number) + 120, (plan.y[plan.rows.length] as number) - 120];
  const list = ramps(drawing, column, heading);
  const stops = new Map<number, Ramp | undefined>();
  for (let y = bottom; y < top; y += STEP_M) stops.set(y, undefined);
  stops.set(top, undefined);
  for (const ramp of list) stops.set(ramp.y, ramp);
  const ys = [...stops.keys()].sort((a, b) => (north ? a - b : b - a));
  const nodes = ys.map((y) => drawing.node({ x, y }, exitTags(stops.get(y), column)));
  drawPieces(drawing, ys, nodes, stops, column);
  const side = north ? column + 1 : column;
  const [first, last] = north ? [0, plan.rows.length] : [plan.rows.length, 0];
  drawing.way([lattice.arm(side, first, north ? 'north' : 'south'), nodes[0] as number], {
    highway: 'motorway_link',
    oneway: 'yes',
  });
  drawing.way([nodes[nodes.length - 1] as number, lattice.arm(side, last, north ? 'south' : 'north')], {
    highway: 'motorway_link',
    oneway: 'yes',
  });
  ys.forEach((y, i) => {
    const ramp = stops.get(y);
    if (ramp) drawRamp(drawing, ramp, nodes[i] as number, { x: north ? x + 25 : x - 25, y: rampMiddle(plan, ramp) });
  });
}

function rampMiddle(plan: TownPlan, ramp: Ramp): number {
  // Halfway in plan coordinates between the motorway's node and the crossing street.
  const row = [...plan.y].reduce((best, y) => (Math.abs(y - ramp.y) < Math.abs(best - ramp.y) ? y : best));
  return ramp.y + (row - ramp.y) * 0.25;
}

/** The carriageway is cut at ramps. Its pieces have different tags in turn: a tunnel with a toll, speed limits. */
function drawPieces(
  drawing: Drawing,
  ys: number[],
  nodes: number[],
  stops: Map<number, Ramp | undefined>,
  column: number,
): void {
  const { plan } = drawing.lattice;
  let start = 0;
  for (let i = 1; i < nodes.length; i++) {
    const atEnd = i === nodes.length - 1;
    if (!atEnd && stops.get(ys[i] as number) === undefined) continue;
    const middle = ((ys[start] as number) + (ys[i] as number)) / 2;
    const river = plan.rows.indexOf('river');
    const crossesRiver =
      (ys[start] as number) < (plan.y[river] as number) !== (ys[i] as number) < (plan.y[river] as number);
    const tags: Tags = { highway: 'motorway', ref: `A${column + 1}`, oneway: 'yes', lanes: '2' };
    if (crossesRiver) Object.assign(tags, { bridge: 'yes', layer: '1', maxspeed: '100' });
    else if (middle > 0) Object.assign(tags, { toll: 'yes', maxspeed: '130' });
    else Object.assign(tags, { tunnel: 'yes', layer: '-1', maxspeed: '80', name: 'Stadttunnel' });
    drawing.way(nodes.slice(start, i + 1), tags);
    start = i;
  }
}

function exitTags(ramp: Ramp | undefined, column: number): Tags | undefined {
  if (!ramp?.leaves) return undefined;
  return { highway: 'motorway_junction', ref: `${column * 10 + ramp.number}`, name: `Ausfahrt ${ramp.number}` };
}

function drawRamp(drawing: Drawing, ramp: Ramp, motorway: number, middle: PlanPoint): void {
  const between = drawing.node(middle);
  const refs = ramp.leaves ? [motorway, between, ramp.gate] : [ramp.gate, between, motorway];
  drawing.way(refs, { highway: 'motorway_link', oneway: 'yes', maxspeed: '60', lanes: '1' });
}

/** A footbridge over the motorway, reached by an elevator on one side and stairs on both. */
function drawFootbridge(drawing: Drawing, column: number): void {
  const { lattice } = drawing;
  const { plan } = lattice;
  const row = plan.centre.row;
  const y = plan.along('v', column, row, 0.5).y;
  const [west, east] = [plan.x[column] as number, plan.x[column + 1] as number];
  const gates = [lattice.gate('v', column, row, 4), lattice.gate('v', column + 1, row, 4)] as const;
  const lift = drawing.node({ x: west + 14, y }, { highway: 'elevator', name: 'Aufzug', bicycle: 'no' });
  const head = drawing.node({ x: west + 20, y: y + 6 });
  const far = drawing.node({ x: east - 20, y });
  drawing.way([gates[0], lift], { highway: 'footway', level: '0' });
  drawing.way([gates[0], head], { highway: 'steps', level: '0;1' });
  drawing.way([lift, head], { highway: 'footway', level: '1', bridge: 'yes', layer: '1' });
  drawing.way([head, far], { highway: 'footway', level: '1', bridge: 'yes', layer: '1', name: 'Autobahnsteg' });
  drawing.way([far, gates[1]], { highway: 'steps', level: '1;0' });
}
