import { streetName } from '../names.js';
import type { Tags } from '../osm/elements.js';
import type { Quarter } from './quarter.js';

/** Blocks along each side of the quarter. */
const BLOCKS = 8;
const STEP_M = 100;
/** Lots from west to east: two in each block, each with its own entry from the street. */
const LOTS = 16;
const LOT_M = 50;

type LotKind = 'alley' | 'courtyard' | 'driveway' | 'parking' | 'none';

/** A dense grid of named streets, many of them one-way, with alleys, courtyards and driveways in the blocks. */
export function drawBlocks(quarter: Quarter): void {
  const grid = new BlockGrid(quarter);
  for (let line = 1; line < BLOCKS; line++) {
    quarter.way(grid.westToEast(line), streetTags(quarter, 'h', line));
    quarter.way(grid.southToNorth(line), streetTags(quarter, 'v', line));
  }
  for (let b = 0; b < BLOCKS; b++) {
    for (let lot = 0; lot < LOTS; lot++) drawInside(quarter, grid, lot, b);
  }
  if (isOnDiagonal(quarter)) drawDiagonal(quarter, grid);
  drawFurniture(quarter);
}

/** Nodes of the street grid; those on the border are the gates of the quarter. */
class BlockGrid {
  readonly #crossings: number[][] = [];
  readonly #entries = new Map<number, number>();
  readonly #lots: LotKind[][];

  constructor(readonly quarter: Quarter) {
    const { random } = quarter;
    this.#lots = Array.from({ length: BLOCKS }, () =>
      Array.from({ length: LOTS }, () =>
        random.pick<LotKind>(['alley', 'courtyard', 'driveway', 'driveway', 'parking', 'none']),
      ),
    );
    for (let b = 0; b <= BLOCKS; b++) this.#crossings.push(this.#row(b));
    for (let b = 1; b < BLOCKS; b++) {
      for (let lot = 0; lot < LOTS; lot++) {
        if (this.#hasEntry(lot, b))
          this.#entries.set(b * LOTS + lot, quarter.nodeNear((lot + 0.5) * LOT_M, b * STEP_M, 4));
      }
    }
  }

  #row(b: number): number[] {
    const { quarter } = this;
    return Array.from({ length: BLOCKS + 1 }, (_, a) => {
      if (b === 0) return a === 0 || a === BLOCKS ? 0 : quarter.gate('south', a);
      if (b === BLOCKS) return a === 0 || a === BLOCKS ? 0 : quarter.gate('north', a);
      if (a === 0) return quarter.gate('west', b);
      if (a === BLOCKS) return quarter.gate('east', b);
      const signals = a === BLOCKS / 2 && b === BLOCKS / 2;
      return quarter.nodeNear(a * STEP_M, b * STEP_M, 11, signals ? { highway: 'traffic_signals' } : undefined);
    });
  }

  /** How a lot is built up; `b` is the line of the street south of it. */
  lot(lot: number, b: number): LotKind {
    return this.#lots[b]?.[lot] ?? 'none';
  }

  /** Whether a lot beside street `b` is entered from it. */
  #hasEntry(lot: number, b: number): boolean {
    if (this.lot(lot, b) !== 'none') return true;
    return this.lot(lot, b - 1) === 'alley' || (b === 1 && this.lot(lot, 0) !== 'none');
  }

  crossing(a: number, b: number): number {
    return this.#crossings[b]?.[a] as number;
  }

  /** The node of street `b` where a lot is entered. */
  entry(lot: number, b: number): number | undefined {
    return this.#entries.get(b * LOTS + lot);
  }

  westToEast(b: number): number[] {
    const refs: number[] = [];
    for (let a = 0; a <= BLOCKS; a++) {
      refs.push(this.crossing(a, b));
      for (const entry of [this.entry(2 * a, b), this.entry(2 * a + 1, b)]) {
        if (entry !== undefined) refs.push(entry);
      }
    }
    return refs;
  }

  southToNorth(a: number): number[] {
    return Array.from({ length: BLOCKS + 1 }, (_, b) => this.crossing(a, b));
  }
}

function streetTags(quarter: Quarter, axis: 'h' | 'v', line: number): Tags {
  const { random, plan } = quarter;
  // A name holds for four quarters along the street.
  const key =
    axis === 'h' ? [quarter.row * 8 + line, quarter.column >> 2] : [quarter.column * 8 + line, quarter.row >> 2];
  const kind = line === BLOCKS / 2 ? 'unclassified' : random.chance(0.1) ? 'living_street' : 'residential';
  const tags: Tags = { highway: kind, name: streetName(plan.seed, `local-${axis}`, ...key) };
  if (line === BLOCKS / 2) return { ...tags, maxspeed: '50', cycleway: random.pick(['lane', 'shared_lane', 'no']) };
  if (random.chance(0.55)) Object.assign(tags, oneWayTags(quarter, line));
  if (random.chance(0.4)) tags.maxspeed = '30';
  if (random.chance(0.15))
    tags.surface = random.pick(['asphalt', 'paving_stones', 'cobblestone', 'cobblestone:flattened']);
  return tags;
}

function oneWayTags(quarter: Quarter, line: number): Tags {
  const { random } = quarter;
  const tags: Tags = { oneway: line % 2 === 0 ? 'yes' : '-1' };
  const roll = random.next();
  if (roll < 0.35) tags['oneway:bicycle'] = 'no';
  else if (roll < 0.5 && tags.oneway === 'yes') tags.cycleway = random.pick(['opposite', 'opposite_lane']);
  return tags;
}

/** Draws the ways of a lot; it is entered from the street south of it, or north where the south is an arterial. */
function drawInside(quarter: Quarter, grid: BlockGrid, lot: number, b: number): void {
  const street = b > 0 ? b : 1;
  const entry = grid.entry(lot, street);
  const kind = grid.lot(lot, b);
  if (entry === undefined || kind === 'none') return;
  const inward = b > 0 ? 1 : -1;
  const [x, y] = [(lot + 0.5) * LOT_M, street * STEP_M];
  const at = (east: number, depth: number, tags?: Tags) => quarter.nodeNear(x + east, y + inward * depth, 3, tags);
  switch (kind) {
    case 'alley': {
      const exit = b > 0 ? grid.entry(lot, b + 1) : undefined;
      const refs = [entry, at(0, 30), at(12, 62)];
      quarter.way(exit === undefined ? refs : [...refs, exit], { highway: 'service', service: 'alley' });
      return;
    }
    case 'courtyard': {
      const door = at(0, 22);
      quarter.way([entry, door], { highway: 'footway', tunnel: 'building_passage', covered: 'yes' });
      quarter.way([door, at(-18, 40), at(0, 58), at(18, 40), door], { highway: 'footway', surface: 'paving_stones' });
      return;
    }
    case 'driveway': {
      const yard = at(0, 28);
      quarter.way([entry, yard], { highway: 'service', service: 'driveway', access: 'private' });
      if (quarter.random.chance(0.5))
        quarter.way([yard, at(20, 34)], { highway: 'footway', access: 'private', foot: 'yes' });
      return;
    }
    case 'parking': {
      const barrier = at(0, 15, { barrier: 'lift_gate' });
      const aisle = at(-14, 30);
      quarter.way([entry, barrier, aisle], { highway: 'service', access: 'customers' });
      quarter.way([aisle, at(-14, 60), at(14, 60), at(14, 30), aisle], {
        highway: 'service',
        service: 'parking_aisle',
        oneway: 'yes',
      });
    }
  }
}

/** Quarters north-east and north-west of the centre on its diagonals carry an avenue from corner to corner. */
function isOnDiagonal(quarter: Quarter): boolean {
  const { plan, drawing, column, row } = quarter;
  const dc = column - plan.centre.column;
  const dr = row - plan.centre.row;
  if (dr < 0 || (dc !== dr && dc !== -dr - 1)) return false;
  return [0, 1].every((c) => [0, 1].every((r) => !drawing.lattice.isRoundabout(column + c, row + r)));
}

function drawDiagonal(quarter: Quarter, grid: BlockGrid): void {
  const { plan, drawing, column, row } = quarter;
  const { lattice } = drawing;
  const east = column >= plan.centre.column;
  const inner = Array.from({ length: BLOCKS - 1 }, (_, i) => grid.crossing(east ? i + 1 : BLOCKS - 1 - i, i + 1));
  const start = lattice.corner(east ? column : column + 1, row);
  const end = lattice.corner(east ? column + 1 : column, row + 1);
  quarter.way([start, ...inner, end], {
    highway: 'secondary',
    name: east ? 'Königsallee' : 'Allée des Érables',
    'name:de': east ? 'Königsallee' : 'Ahornallee',
    maxspeed: '50',
    cycleway: 'track',
  });
}

/** Rental stations, racks and trees beside the streets. */
function drawFurniture(quarter: Quarter): void {
  const { random } = quarter;
  const place = (tags: Tags) => quarter.node(random.integer(40, 760), random.integer(40, 760), tags);
  if (random.chance(0.7)) {
    const id = `${quarter.column}-${quarter.row}`;
    place({
      amenity: 'bicycle_rental',
      name: `Rad ${id}`,
      network: random.pick(['stadtrad', 'stadtrad;uni']),
      capacity: String(random.integer(8, 30)),
      ref: id,
    });
  }
  for (let i = random.integer(1, 4); i > 0; i--) {
    place({
      amenity: 'bicycle_parking',
      capacity: String(random.integer(4, 40)),
      access: random.pick(['yes', 'yes', 'private']),
    });
  }
  place({ natural: 'tree' });
}
