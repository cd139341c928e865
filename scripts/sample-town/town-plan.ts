import { Random } from '../../src/bench/random.js';
import { TOWN_SIZES, type TownSize } from './town-size.js';

/** What lies between two neighbouring lines of the plan. */
export type Band = 'quarters' | 'river' | 'motorway';

/** How a quarter is built up. */
export type QuarterKind = 'oldTown' | 'blocks' | 'estate' | 'suburb' | 'park' | 'industry' | 'countryside';

/** Classes of the streets that follow the lines of the plan. */
export type ArterialClass = 'trunk' | 'primary' | 'secondary' | 'tertiary';

/** `h` runs west to east, `v` south to north. */
export type Axis = 'h' | 'v';

/** A position in metres east and north of the town's centre, before the plan is bent. */
export interface PlanPoint {
  x: number;
  y: number;
}

/** A crossing of two lines of the plan. */
export interface Corner {
  column: number;
  row: number;
}

const QUARTER_M = 800;
const RIVER_M = 220;
const MOTORWAY_M = 180;

/** Interior nodes of a line between two corners: side streets join there, 100 m apart. */
export const GATES = 7;

/**
 * The plan of a town: a lattice of lines with quarters, one river and one or more motorways between them. All the
 * sample's files are derived from it without exchanging data: positions and ids of the lattice are formulas.
 */
export class TownPlan {
  /** Bands from west to east. */
  readonly columns: readonly Band[];
  /** Bands from south to north. */
  readonly rows: readonly Band[];
  /** Position of each vertical line, one more than columns. */
  readonly x: Float64Array;
  /** Position of each horizontal line, one more than rows. */
  readonly y: Float64Array;
  /** Indices of the two lines that cross in the centre. */
  readonly centre: Corner;

  constructor(
    readonly seed: number,
    readonly quarters: number,
  ) {
    const motorways = quarters < 16 ? [0.25] : quarters < 40 ? [0.2, 0.8] : [0.12, 0.35, 0.66, 0.88];
    this.columns = bands(quarters, motorways, 'motorway');
    this.rows = bands(quarters, [quarters < 8 ? 0.25 : 0.38], 'river');
    this.x = positions(this.columns);
    this.y = positions(this.rows);
    this.centre = { column: middleLine(this.columns, quarters), row: middleLine(this.rows, quarters) };
    shift(this.x, this.x[this.centre.column] as number);
    shift(this.y, this.y[this.centre.row] as number);
  }

  static of(seed: number, size: TownSize): TownPlan {
    return new TownPlan(seed, TOWN_SIZES[size]);
  }

  /** Position of the crossing of two lines. */
  corner(column: number, row: number): PlanPoint {
    return { x: this.x[column] as number, y: this.y[row] as number };
  }

  /** A point along the line from a corner to the next one east (`h`) or north (`v`); `share` from 0 to 1. */
  along(axis: Axis, column: number, row: number, share: number): PlanPoint {
    const from = this.corner(column, row);
    const to = axis === 'h' ? this.corner(column + 1, row) : this.corner(column, row + 1);
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  }

  /** Whether a street follows the line from this corner to the next one east or north. */
  hasStreet(axis: Axis, column: number, row: number): boolean {
    const band = axis === 'h' ? this.columns[column] : this.rows[row];
    if (band === undefined || column < 0 || row < 0) return false;
    if (column > this.columns.length || row > this.rows.length) return false;
    if (band === 'quarters') return true;
    return this.isCrossing(axis, axis === 'h' ? row : column);
  }

  /** Whether the street along this line crosses rivers or motorways on a bridge. */
  isCrossing(axis: Axis, line: number): boolean {
    const middle = axis === 'h' ? this.centre.row : this.centre.column;
    const last = axis === 'h' ? this.rows.length : this.columns.length;
    return line === 0 || line === last || (line - middle) % 2 === 0;
  }

  /** Whether the street from this corner to the next one east or north is a bridge. */
  isBridge(axis: Axis, column: number, row: number): boolean {
    return (axis === 'h' ? this.columns[column] : this.rows[row]) !== 'quarters';
  }

  /** Class of the street along a line. */
  arterialClass(axis: Axis, line: number): ArterialClass {
    const middle = axis === 'h' ? this.centre.row : this.centre.column;
    const distance = Math.abs(line - middle);
    if (axis === 'h' && line === this.rows.length) return 'trunk';
    if (distance === 0 || (this.quarters >= 16 && distance % 8 === 0)) return 'primary';
    if (distance % 3 === 0 || line === 0) return 'secondary';
    return 'tertiary';
  }

  /** 0 at the centre, 1 at the middle of the town's edges. */
  remoteness(point: PlanPoint): number {
    const half = (this.quarters * QUARTER_M) / 2;
    return Math.hypot(point.x, point.y) / half;
  }

  /** The south-west corners of all quarters, row by row. */
  *quarterCorners(): Generator<Corner> {
    for (const [row, band] of this.rows.entries()) {
      if (band !== 'quarters') continue;
      for (const [column, across] of this.columns.entries()) if (across === 'quarters') yield { column, row };
    }
  }

  /** How the quarter between lines `column` and `column + 1`, `row` and `row + 1` is built up. */
  quarterKind(column: number, row: number): QuarterKind {
    const dc = column - this.centre.column;
    const dr = row - this.centre.row;
    const oldTown = this.quarters >= 24 ? 1 : 0;
    if (dc >= -oldTown && dc <= 0 && dr >= -oldTown && dr <= 0) return 'oldTown';
    if (dc === 1 && dr === 1) return 'park';
    const random = new Random(this.seed, 'kind', column, row);
    const far = this.remoteness(this.along('h', column, row, 0.5));
    const byMotorway = this.columns[column - 1] === 'motorway' || this.columns[column + 1] === 'motorway';
    if (byMotorway && random.chance(0.6)) return 'industry';
    if (random.chance(0.07)) return 'park';
    if (far < 0.5) return random.chance(0.85) ? 'blocks' : 'estate';
    if (far < 1.05) return random.chance(0.75) ? 'suburb' : random.chance(0.5) ? 'estate' : 'blocks';
    return 'countryside';
  }
}

function bands(quarters: number, shares: number[], strip: Band): Band[] {
  const result: Band[] = [];
  const before = new Set(shares.map((share) => Math.max(1, Math.round(share * quarters))));
  for (let i = 0; i < quarters; i++) {
    if (before.has(i)) result.push(strip);
    result.push('quarters');
  }
  return result;
}

function positions(list: readonly Band[]): Float64Array {
  const lines = new Float64Array(list.length + 1);
  list.forEach((band, i) => {
    const width = band === 'quarters' ? QUARTER_M : band === 'river' ? RIVER_M : MOTORWAY_M;
    lines[i + 1] = (lines[i] as number) + width;
  });
  return lines;
}

/** The line with half of the quarters on either side. */
function middleLine(list: readonly Band[], quarters: number): number {
  let left = 0;
  for (let i = 0; i < list.length; i++) {
    if (left === Math.floor(quarters / 2) && list[i] === 'quarters') return i;
    if (list[i] === 'quarters') left++;
  }
  return Math.floor(list.length / 2);
}

function shift(lines: Float64Array, by: number): void {
  for (let i = 0; i < lines.length; i++) lines[i] = (lines[i] as number) - by;
}
