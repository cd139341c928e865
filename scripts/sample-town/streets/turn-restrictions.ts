import { Random } from '../../../src/bench/random.js';
import type { Member, Tags } from '../osm/elements.js';
import type { Axis, Corner } from '../town-plan.js';
import { cornersOf } from './arterials.js';
import type { Drawing } from './drawing.js';
import type { Lattice } from './lattice.js';

/** Share of the ordinary corners with a restriction. */
const SHARE = 0.12;

/** A street of the lattice at a corner, with its heading away from the corner in quarter turns from east. */
interface Arm {
  axis: Axis;
  column: number;
  row: number;
  heading: number;
}

/** Turn restrictions at corners: every kind, some with exceptions, times, or a way between. */
export function drawTurnRestrictions(drawing: Drawing): void {
  const { lattice } = drawing;
  for (const corner of cornersOf(lattice.plan)) {
    const random = new Random(lattice.plan.seed, 'restriction', corner.column, corner.row);
    if (lattice.isRoundabout(corner.column, corner.row) || !random.chance(SHARE)) continue;
    const arms = armsOf(lattice, corner);
    if (arms.length === 4) drawRestriction(drawing, corner, arms, random);
  }
  drawRestrictionOverWay(drawing);
}

function drawRestriction(drawing: Drawing, corner: Corner, arms: Arm[], random: Random): void {
  const from = random.pick(arms);
  const { kind, turn } = random.pick([
    { kind: 'no_left_turn', turn: 1 },
    { kind: 'no_left_turn', turn: 1 },
    { kind: 'no_right_turn', turn: 3 },
    { kind: 'no_straight_on', turn: 0 },
    { kind: 'no_u_turn', turn: 2 },
    { kind: 'only_straight_on', turn: 0 },
    { kind: 'only_right_turn', turn: 3 },
    { kind: 'only_left_turn', turn: 1 },
  ]);
  // Arriving along `from` the traveller heads the opposite way of the arm.
  const heading = (from.heading + 2 + turn) % 4;
  const to = arms.find((arm) => arm.heading === heading) as Arm;
  const { lattice } = drawing;
  drawing.relation(
    members(lattice, from, to, { type: 'node', ref: lattice.corner(corner.column, corner.row), role: 'via' }),
    {
      type: 'restriction',
      restriction: kind,
      ...conditions(random),
    },
  );
}

function conditions(random: Random): Tags {
  const roll = random.next();
  if (roll < 0.25) return { except: 'bicycle' };
  if (roll < 0.3) return { except: 'motorcar;psv' };
  if (roll < 0.45) return { day_on: 'Monday', day_off: 'Friday', hour_on: '07:00', hour_off: '09:00' };
  return {};
}

/** No U-turn over the bridge in the middle: `via` is a way, not a node. */
function drawRestrictionOverWay(drawing: Drawing): void {
  const { lattice } = drawing;
  const { plan } = lattice;
  const row = plan.rows.indexOf('river');
  const column = plan.centre.column;
  if (row < 1) return;
  const via: Member = { type: 'way', ref: lattice.way('v', column, row), role: 'via' };
  const from: Arm = { axis: 'h', column: column - 1, row, heading: 2 };
  const to: Arm = { axis: 'h', column: column - 1, row: row + 1, heading: 2 };
  drawing.relation(members(lattice, from, to, via), { type: 'restriction', restriction: 'no_u_turn' });
}

function members(lattice: Lattice, from: Arm, to: Arm, via: Member): Member[] {
  return [
    { type: 'way', ref: lattice.way(from.axis, from.column, from.row), role: 'from' },
    via,
    { type: 'way', ref: lattice.way(to.axis, to.column, to.row), role: 'to' },
  ];
}

function armsOf(lattice: Lattice, { column, row }: Corner): Arm[] {
  const arms: Arm[] = [
    { axis: 'h', column, row, heading: 0 },
    { axis: 'v', column, row, heading: 1 },
    { axis: 'h', column: column - 1, row, heading: 2 },
    { axis: 'v', column, row: row - 1, heading: 3 },
  ];
  return arms.filter((arm) => lattice.plan.hasStreet(arm.axis, arm.column, arm.row));
}
