import { Random } from '../../../src/bench/random.js';
import { quarterName } from '../names.js';
import type { Axis, TownPlan } from '../town-plan.js';
import { followStreets, layCourse, type Pace, type Ride, reversed, type Waypoint } from './course.js';
import { type Line, ORDINARY, RouteType } from './line.js';
import type { StopRegister } from './stop-register.js';

const BUS: Pace = { speed: 8, dwell: 25 };
const TRAM: Pace = { speed: 9, dwell: 30 };
/** Stops along a street of about 800 m, as shares of its length. */
const BUS_SHARES = [0.3, 0.7];
const TRAM_SHARES = [0.06, 0.55];
/** Streets in one bus line, at most; lines are longer where the town is. */
const LONGEST_BUS = 14;
const LONGEST_BUS_OF_METROPOLIS = 26;
const LONGEST_TRAM = 22;
/** No buses run in the fields. */
const SERVED_REMOTENESS = 1.12;

/** Trams on the main axes. */
export function tramLines(stops: StopRegister): Line[] {
  const { plan } = stops;
  const offsets = plan.quarters >= 24 ? [0, 4, -4] : [0];
  const lines: Line[] = [];
  for (const offset of offsets) {
    for (const axis of ['h', 'v'] as const) {
      const middle = axis === 'h' ? plan.centre.row : plan.centre.column;
      const runs = ridesAlong(plan, axis, middle + offset, LONGEST_TRAM);
      const rides = runs.reduce<Ride[]>((best, run) => (run.length > best.length ? run : best), []);
      if (rides.length < 2) continue;
      const number = `${lines.length + 1}`;
      lines.push({
        ...streetLine(stops, `T${number}`, number, rides, {
          kind: 'T',
          type: RouteType.tram,
          pace: TRAM,
          shares: TRAM_SHARES,
        }),
        color: 'C00A0A',
        interval: { kind: 'trips', headway: 450 },
        bikes: 2,
      });
    }
  }
  return lines;
}

/** Buses along the other lines of the plan, cut where they become too long. */
export function busLines(stops: StopRegister): Line[] {
  const { plan } = stops;
  const longest = plan.quarters < 40 ? LONGEST_BUS : LONGEST_BUS_OF_METROPOLIS;
  const lines: Line[] = [];
  for (const axis of ['h', 'v'] as const) {
    const last = axis === 'h' ? plan.rows.length : plan.columns.length;
    for (let line = 0; line <= last; line++) {
      const random = new Random(plan.seed, 'bus', axis, line);
      const share = plan.quarters < 16 ? 0.8 : plan.quarters < 40 ? 0.5 : 0.12;
      const served = plan.arterialClass(axis, line) !== 'tertiary' || random.chance(share);
      if (!served) continue;
      for (const rides of ridesAlong(plan, axis, line, longest)) {
        if (rides.length >= 2) lines.push(busLine(stops, 10 + lines.length, rides, random));
      }
    }
  }
  return [...lines, ...nightLines(lines)];
}

function busLine(stops: StopRegister, number: number, rides: Ride[], random: Random): Line {
  const line = streetLine(stops, `B${number}`, String(number), rides, {
    kind: 'B',
    type: RouteType.bus,
    pace: BUS,
    shares: BUS_SHARES,
  });
  const roll = random.next();
  const outside = roll < 0.1;
  return {
    ...line,
    color: '1F5FA8',
    interval: { kind: 'trips', headway: random.pick([600, 720, 900, 900, 1200]) },
    services: roll > 0.7 ? [...line.services, 'SCHOOL'] : line.services,
    turnsRound: random.chance(0.6),
    bikes: random.pick([0, 1, 2]),
    boarding: outside ? { pickup: 2, dropOff: 3 } : { pickup: 0, dropOff: 0 },
    ...(random.chance(0.4) ? { viaSign: 'Zentrum' } : {}),
  };
}

/** Every fifth bus line also runs in the nights before Saturday and Sunday, under another number. */
function nightLines(lines: readonly Line[]): Line[] {
  return lines
    .filter((_, i) => i % 5 === 0)
    .map((line) => ({
      ...line,
      id: `N${line.shortName}`,
      shortName: `N${line.shortName}`,
      color: '101040',
      services: ['NIGHT'],
      turnsRound: false,
      boarding: { pickup: 0, dropOff: 3 },
    }));
}

/** A circle around the northern centre as two routes: vehicles of one continue on the other. */
export function circleLines(stops: StopRegister): Line[] {
  const { column, row } = stops.plan.centre;
  const at = (axis: Axis, dc: number, dr: number, forward: boolean): Ride => ({
    axis,
    column: column + dc,
    row: row + dr,
    forward,
  });
  const halves: Ride[][] = [
    [at('h', -1, 0, true), at('h', 0, 0, true), at('v', 1, 0, true), at('v', 1, 1, true)],
    [at('h', 0, 2, false), at('h', -1, 2, false), at('v', -1, 1, false), at('v', -1, 0, false)],
  ];
  const [first, second] = halves.map((rides) =>
    followStreets(stops.plan, rides, BUS_SHARES, (ride, share) => stops.kerb('B', ride, share)),
  ) as [Waypoint[], Waypoint[]];
  const one = circleLine(stops, 'K1', [...first, ...toFirstStop(second)]);
  const two = circleLine(stops, 'K2', [...second.slice(toFirstStop(second).length - 1), ...toFirstStop(first)]);
  return [{ ...one, continuesAs: two }, two];
}

/** The points up to the first stop, that stop included. */
function toFirstStop(way: readonly Waypoint[]): Waypoint[] {
  return way.slice(0, way.findIndex(({ stop }) => stop !== undefined) + 1);
}

function circleLine(stops: StopRegister, id: string, way: Waypoint[]): Line {
  const course = layCourse(stops.terrain, way, BUS, 'Ring Nord');
  return {
    ...ORDINARY,
    id,
    shortName: id,
    longName: 'Ringlinie Nord',
    type: RouteType.bus,
    color: '2E8B57',
    courses: [course],
    interval: { kind: 'trips', headway: 900 },
    bikes: 1,
  };
}

interface StreetLineKind {
  kind: string;
  type: number;
  pace: Pace;
  shares: readonly number[];
}

function streetLine(stops: StopRegister, id: string, number: string, rides: Ride[], how: StreetLineKind): Line {
  const { plan, terrain } = stops;
  const [first, last] = [rides[0] as Ride, rides[rides.length - 1] as Ride];
  const names = [quarterName(plan.seed, first.column, first.row), quarterName(plan.seed, last.column + 1, last.row)];
  const courses = [rides, reversed(rides)].map((list, direction) => {
    // Both directions stop at the same crossings: shares are counted from the same end.
    const shares = direction === 0 ? how.shares : how.shares.map((share) => 1 - share);
    const waypoints = followStreets(plan, list, shares, (ride, share) => stops.kerb(how.kind, ride, share));
    return layCourse(terrain, waypoints, how.pace, names[1 - direction] as string);
  });
  return {
    ...ORDINARY,
    id,
    shortName: number,
    longName: `${names[0]} – ${names[1]}`,
    type: how.type,
    color: '',
    courses,
    interval: { kind: 'trips', headway: 900 },
    bikes: 0,
  };
}

/** Runs of connected streets along a line of the plan, none longer than `longest`. */
function ridesAlong(plan: TownPlan, axis: Axis, line: number, longest: number): Ride[][] {
  const runs: Ride[][] = [[]];
  const count = axis === 'h' ? plan.columns.length : plan.rows.length;
  for (let i = 0; i < count; i++) {
    const ride: Ride =
      axis === 'h' ? { axis, column: i, row: line, forward: true } : { axis, column: line, row: i, forward: true };
    const served = plan.remoteness(plan.along(axis, ride.column, ride.row, 0.5)) < SERVED_REMOTENESS;
    const run = runs[runs.length - 1] as Ride[];
    if (!served || !plan.hasStreet(axis, ride.column, ride.row)) runs.push([]);
    else if (run.length >= longest) runs.push([ride]);
    else run.push(ride);
  }
  return runs;
}
