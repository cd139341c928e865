import { quarterName } from '../names.js';
import { islandPier, riverMiddle } from '../places.js';
import type { Corner } from '../town-plan.js';
import { layCourse, type Pace, type Waypoint } from './course.js';
import { type Line, ORDINARY, RouteType } from './line.js';
import type { StopRegister } from './stop-register.js';

const SUBWAY: Pace = { speed: 15, dwell: 30 };
const FERRY: Pace = { speed: 6, dwell: 120 };
const ROPE: Pace = { speed: 5, dwell: 0 };

/** Stations on either side of the centre, at most. */
const LONGEST_REACH = 30;

/** Subways: a diagonal by headway, an east-west one by timetable; in larger towns the other diagonal, north-south. */
export function subwayLines(stops: StopRegister): Line[] {
  const { plan } = stops;
  const reach = Math.min(LONGEST_REACH, Math.floor(plan.quarters / 2) - 1);
  const steps = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  const { column, row } = plan.centre;
  const u1 = steps.map((i) => ({ column: column + i, row: row + i }));
  const u2 = steps.map((i) => ({ column: column + i, row: row + (Math.abs(i) > 2 ? 1 : 0) }));
  const u3 = steps.map((i) => ({ column: column + i, row: row - i }));
  const lines = [
    subwayLine(stops, 'U1', u1, { interval: { kind: 'frequency', headway: 300, exact: false }, color: 'E3000F' }),
    subwayLine(stops, 'U2', u2, { interval: { kind: 'trips', headway: 360 }, color: 'A762A3' }),
  ];
  if (plan.quarters >= 24) {
    const u4 = steps.map((i) => ({ column, row: row + i }));
    lines.push(subwayLine(stops, 'U3', u3, { interval: { kind: 'trips', headway: 300 }, color: 'EF7C00' }));
    lines.push(subwayLine(stops, 'U4', u4, { interval: { kind: 'trips', headway: 300 }, color: '00963F' }));
  }
  return lines;
}

function subwayLine(stops: StopRegister, id: string, halts: Corner[], extra: Pick<Line, 'interval' | 'color'>): Line {
  const { plan } = stops;
  const inside = halts.filter(
    ({ column, row }) => column >= 0 && row >= 0 && column <= plan.columns.length && row <= plan.rows.length,
  );
  const way = (list: Corner[], direction: number): Waypoint[] =>
    list.map((halt) => {
      const corner = plan.corner(halt.column, halt.row);
      const station = stops.station(
        `S${halt.column}-${halt.row}`,
        quarterName(plan.seed, halt.column, halt.row),
        corner,
      );
      const point = { x: corner.x + (direction === 0 ? 12 : -12), y: corner.y + (direction === 0 ? -12 : 12) };
      return { point, stop: stops.platform(station, `${station.stop.id}:${id}:${direction}`, point) };
    });
  return offStreetLine(
    stops,
    { id, shortName: id, type: RouteType.subway, bikes: 1, ...extra },
    [way(inside, 0), way([...inside].reverse(), 1)],
    SUBWAY,
  );
}

/** The funicular up the hill of the park, at exact intervals. */
export function funicular(stops: StopRegister): Line {
  const { summit } = stops.terrain;
  const foot = { x: summit.x, y: summit.y - 390 };
  const bottom = stops.add('FUN:0', 'Schlossberg Talstation', foot, { wheelchair: 1 });
  const top = stops.add('FUN:1', 'Schlossberg Bergstation', { x: summit.x, y: summit.y - 8 }, { wheelchair: 2 });
  const up: Waypoint[] = [
    { point: foot, stop: bottom },
    { point: summit, stop: top },
  ];
  const head = { id: 'FUN', shortName: 'FUN', type: RouteType.funicular, color: '7A4A1E', bikes: 2 as const };
  const interval = { kind: 'frequency' as const, headway: 600, exact: true };
  return {
    ...offStreetLine(stops, { ...head, interval }, [up, [...up].reverse()], ROPE),
    longName: 'Schlossbergbahn',
    services: ['DAILY'],
  };
}

/** The boat along the river and across the lake, the island's only connection. */
export function ferry(stops: StopRegister): Line {
  const { plan } = stops;
  const piers: Waypoint[] = [];
  const bank = plan.y[plan.rows.indexOf('river') + 1] as number;
  for (let column = plan.centre.column; column <= plan.columns.length; column++) {
    const x = plan.x[column] as number;
    const ends = column === plan.columns.length;
    if (!ends && (column - plan.centre.column) % 3 !== 0) {
      piers.push({ point: riverMiddle(plan, x) });
      continue;
    }
    const name = `${quarterName(plan.seed, column, 0)} Anleger`;
    piers.push({ point: { x, y: bank - 20 }, stop: stops.add(`F${column}`, name, { x: x + 20, y: bank - 12 }) });
  }
  const pier = islandPier(plan);
  piers.push({ point: pier, stop: stops.add('F-ISLAND', 'Insel Anleger', pier, { zone: 'C', wheelchair: 1 }) });
  const head = { id: 'F1', shortName: 'F1', type: RouteType.ferry, color: '0077B6', bikes: 1 as const };
  const line = offStreetLine(
    stops,
    { ...head, interval: { kind: 'trips', headway: 2400 } },
    [piers, [...piers].reverse()],
    FERRY,
  );
  return { ...line, longName: 'Achsee-Fähre' };
}

/** Cabins from the hill to the north-eastern quarters, by headway. */
export function gondola(stops: StopRegister): Line {
  const { plan, terrain } = stops;
  const { column, row } = plan.centre;
  const far = plan.corner(Math.min(column + 2, plan.columns.length), Math.min(row + 2, plan.rows.length));
  const end = { x: far.x - 20, y: far.y - 20 };
  const start = { x: terrain.summit.x + 15, y: terrain.summit.y };
  const way: Waypoint[] = [
    { point: start, stop: stops.add('G:0', 'Schlossberg Gipfel', start, { wheelchair: 1 }) },
    { point: end, stop: stops.add('G:1', 'Nordost Seilbahn', end, { wheelchair: 1 }) },
  ];
  const head = { id: 'G1', shortName: 'G1', type: RouteType.gondola, color: 'F2A900', bikes: 1 as const };
  const interval = { kind: 'frequency' as const, headway: 120, exact: false };
  return {
    ...offStreetLine(stops, { ...head, interval }, [way, [...way].reverse()], ROPE),
    longName: 'Stadtseilbahn',
    services: ['DAILY'],
  };
}

/** Everything about a line except where it runs. */
export type Head = Pick<Line, 'id' | 'shortName' | 'type' | 'color' | 'interval' | 'bikes'>;

/** A line with one course for each direction, named after its ends. */
export function offStreetLine(stops: StopRegister, head: Head, ways: Waypoint[][], pace: Pace): Line {
  const courses = ways.map((way) => {
    const last = way[way.length - 1]?.stop;
    return layCourse(stops.terrain, way, pace, last?.name ?? '');
  });
  return {
    ...ORDINARY,
    ...head,
    longName: courses
      .map((course) => course.headsign)
      .reverse()
      .join(' – '),
    courses,
  };
}
