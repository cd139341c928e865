import { Random } from '../../../src/bench/random.js';
import { streetName } from '../names.js';
import type { Tags } from '../osm/elements.js';
import { type ArterialClass, type Axis, type Corner, GATES, type TownPlan } from '../town-plan.js';
import type { Drawing } from './drawing.js';
import { type Lattice, RING_NODES } from './lattice.js';

const AXES: readonly Axis[] = ['h', 'v'];

/** Every crossing of lines, row by row. */
export function* cornersOf(plan: TownPlan): Generator<Corner> {
  for (let row = 0; row <= plan.rows.length; row++) {
    for (let column = 0; column <= plan.columns.length; column++) yield { column, row };
  }
}

/** Nodes of the lattice, in order of their ids: corners, gates, rings of roundabouts. */
export function drawLatticeNodes(drawing: Drawing): void {
  const { lattice } = drawing;
  const { plan } = lattice;
  for (const { column, row } of cornersOf(plan)) {
    if (lattice.isRoundabout(column, row)) continue;
    drawing.node(plan.corner(column, row), cornerTags(plan, column, row), lattice.corner(column, row));
  }
  for (const axis of AXES) {
    for (const { column, row } of cornersOf(plan)) drawGates(drawing, axis, column, row);
  }
  for (const { column, row } of cornersOf(plan)) {
    if (!lattice.isRoundabout(column, row)) continue;
    for (let i = 0; i < RING_NODES; i++) {
      drawing.node(lattice.ringPoint(column, row, i), undefined, lattice.ring(column, row, i));
    }
  }
}

/** The streets along the lines, in order of their way ids, then the roundabouts. */
export function drawArterials(drawing: Drawing): void {
  const { lattice } = drawing;
  const { plan } = lattice;
  for (const axis of AXES) {
    for (const { column, row } of cornersOf(plan)) {
      if (!plan.hasStreet(axis, column, row)) continue;
      const refs = streetNodes(lattice, axis, column, row);
      drawing.way(refs, arterialTags(plan, axis, column, row), lattice.way(axis, column, row));
    }
  }
  for (const { column, row } of cornersOf(plan)) {
    if (lattice.isRoundabout(column, row)) drawRoundabout(drawing, column, row);
  }
}

function drawGates(drawing: Drawing, axis: Axis, column: number, row: number): void {
  const { lattice } = drawing;
  const { plan } = lattice;
  if (!plan.hasStreet(axis, column, row) || plan.isBridge(axis, column, row)) return;
  const random = new Random(plan.seed, 'gates', axis, column, row);
  for (let gate = 1; gate <= GATES; gate++) {
    const crossing = random.chance(0.15);
    const tags: Tags | undefined = crossing ? { highway: 'crossing', crossing: 'zebra' } : undefined;
    drawing.node(plan.along(axis, column, row, gate / (GATES + 1)), tags, lattice.gate(axis, column, row, gate));
  }
}

function streetNodes(lattice: Lattice, axis: Axis, column: number, row: number): number[] {
  const start = lattice.arm(column, row, axis === 'h' ? 'east' : 'north');
  const end = axis === 'h' ? lattice.arm(column + 1, row, 'west') : lattice.arm(column, row + 1, 'south');
  const gates = lattice.plan.isBridge(axis, column, row) ? 0 : GATES;
  return [start, ...Array.from({ length: gates }, (_, i) => lattice.gate(axis, column, row, i + 1)), end];
}

function cornerTags(plan: TownPlan, column: number, row: number): Tags | undefined {
  const near = plan.remoteness(plan.corner(column, row)) < 0.6;
  const major = isMajor(plan.arterialClass('h', row)) && isMajor(plan.arterialClass('v', column));
  if (near || major) return { highway: 'traffic_signals', crossing: 'traffic_signals' };
  return undefined;
}

function isMajor(kind: ArterialClass): boolean {
  return kind !== 'tertiary';
}

function drawRoundabout(drawing: Drawing, column: number, row: number): void {
  const refs = Array.from({ length: RING_NODES + 1 }, (_, i) => drawing.lattice.ring(column, row, i));
  const kind = drawing.lattice.plan.arterialClass('h', row);
  drawing.way(refs, { highway: kind, junction: 'roundabout', maxspeed: '30' });
}

/** Tags of a street of the lattice: class, name, speed, cycling, bridges; they vary along the line. */
function arterialTags(plan: TownPlan, axis: Axis, column: number, row: number): Tags {
  const line = axis === 'h' ? row : column;
  const kind = plan.arterialClass(axis, line);
  const random = new Random(plan.seed, 'arterial', axis, column, row);
  const tags: Tags = { highway: kind, ...nameTags(plan, axis, line) };
  const speed = speedOf(kind, random);
  if (speed) tags.maxspeed = speed;
  if (kind === 'trunk') tags.ref = 'B1';
  else Object.assign(tags, cyclingTags(random));
  if (random.chance(0.3)) tags.lanes = String(random.integer(2, 4));
  if (random.chance(0.06) && kind === 'tertiary') tags.surface = random.pick(['cobblestone', 'sett', 'compacted']);
  if (plan.isBridge(axis, column, row)) {
    tags.bridge = 'yes';
    tags.layer = '1';
  }
  return tags;
}

function nameTags(plan: TownPlan, axis: Axis, line: number): Tags {
  const name = streetName(plan.seed, axis, line);
  if (line === (axis === 'h' ? plan.centre.row : plan.centre.column)) {
    const tags: Tags = { name: axis === 'h' ? 'Grand Boulevard' : 'Avenue Centrale' };
    tags['name:de'] = axis === 'h' ? 'Große Ringstraße' : 'Mittelstraße';
    tags['name:fr'] = axis === 'h' ? 'Grand boulevard' : 'Avenue centrale';
    return tags;
  }
  return line % 5 === 0 ? { name, 'name:de': name, 'name:en': `${name} (road)` } : { name };
}

function speedOf(kind: ArterialClass, random: Random): string | undefined {
  switch (kind) {
    case 'trunk':
      return '100';
    case 'primary':
      return random.pick(['50', '50', '60', '70']);
    case 'secondary':
      return random.pick(['50', '50', '50 km/h', '30 mph']);
    case 'tertiary':
      return random.pick([undefined, '30', '50', 'AT:urban']);
  }
}

function cyclingTags(random: Random): Tags {
  const roll = random.next();
  if (roll < 0.2) return { cycleway: 'lane' };
  if (roll < 0.28) return { cycleway: 'track' };
  if (roll < 0.33) return { 'cycleway:right': 'lane', 'cycleway:left': 'shared_lane' };
  if (roll < 0.36) return { cycleway: 'share_busway' };
  return {};
}
