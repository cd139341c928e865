import { quarterName } from '../names.js';
import { crossTownHalts, railHalts, railPoint } from '../places.js';
import type { Corner, TownPlan } from '../town-plan.js';
import type { Pace, Stop, Waypoint } from './course.js';
import { type Line, RouteType } from './line.js';
import { type Head, offStreetLine } from './off-street-lines.js';
import type { StopRegister } from './stop-register.js';

const STOPPING: Pace = { speed: 22, dwell: 60 };
const EXPRESS: Pace = { speed: 33, dwell: 120 };

/** Platform numbers by direction: along the river, and across it. */
const RIVER_PLATFORMS = [1, 2] as const;
const CROSSING_PLATFORMS = [3, 4] as const;

/** Stopping and express trains along the river; in larger towns stopping trains across it beside the motorways. */
export function railLines(stops: StopRegister): Line[] {
  const { plan } = stops;
  const halts = railHalts(plan);
  const main = halts.filter((halt, i) => i === 0 || i === halts.length - 1 || isMain(plan, halt));
  const lines = [
    { ...railLine(stops, head('S1', '3D7A2B', 1200), halts, RIVER_PLATFORMS, STOPPING), turnsRound: true },
    railLine(stops, head('RE5', '8A0F2E', 3600), main, RIVER_PLATFORMS, EXPRESS),
  ];
  if (plan.quarters < 24) return lines;
  const crossing = crossTownHalts(plan).map((list, i) =>
    railLine(stops, head(`S${i + 2}`, '2F6F8F', 900), list, CROSSING_PLATFORMS, STOPPING),
  );
  return [...lines, ...crossing];
}

/** Whether express trains stop: in the centre and where lines cross. */
function isMain(plan: TownPlan, { column }: Corner): boolean {
  return column === plan.centre.column || plan.columns[column - 1] === 'motorway';
}

function head(id: string, color: string, headway: number): Head {
  return { id, shortName: id, type: RouteType.rail, color, interval: { kind: 'trips', headway }, bikes: 1 };
}

function railLine(
  stops: StopRegister,
  what: Head,
  halts: readonly Corner[],
  platforms: readonly [number, number],
  pace: Pace,
): Line {
  const way = (list: readonly Corner[], platform: number): Waypoint[] =>
    list.map((halt) => {
      const stop = platformAt(stops, halt, platform);
      return { point: platformPoint(stops.plan, halt, platform), stop };
    });
  return offStreetLine(stops, what, [way(halts, platforms[0]), way([...halts].reverse(), platforms[1])], pace);
}

function platformAt(stops: StopRegister, halt: Corner, platform: number): Stop {
  const { plan } = stops;
  const id = `R${halt.column}-${halt.row}`;
  const name = `${quarterName(plan.seed, halt.column, halt.row)} Bahnhof`;
  const station = stops.station(id, name, railPoint(plan, halt));
  return stops.platform(station, `${id}:${platform}`, platformPoint(plan, halt, platform), String(platform));
}

/** Platforms lie 12 m apart, those of the crossing lines north of the others. */
function platformPoint(plan: TownPlan, halt: Corner, platform: number) {
  const { x, y } = railPoint(plan, halt);
  return { x, y: y + (platform - 1) * 12 };
}
