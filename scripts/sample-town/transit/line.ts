import type { Course } from './course.js';

/** Days on which trips run. */
export type Service = 'WEEKDAY' | 'SATURDAY' | 'SUNDAY' | 'NIGHT' | 'SCHOOL' | 'DAILY';

/** GTFS route types used here. */
export const RouteType = { tram: 0, subway: 1, rail: 2, bus: 3, ferry: 4, gondola: 6, funicular: 7 } as const;

/** How often trips start. */
export type Interval =
  /** Every trip listed; seconds between departures in the rush hours. */
  | { kind: 'trips'; headway: number }
  /** One template trip repeated by frequencies.txt. */
  | { kind: 'frequency'; headway: number; exact: boolean };

/** A row of routes.txt with everything needed to write its trips. */
export interface Line {
  id: string;
  shortName: string;
  longName: string;
  type: number;
  color: string;
  /** One or two directions. */
  courses: Course[];
  services: Service[];
  interval: Interval;
  /** Vehicles turn round at the end: an outward trip and the next return trip share a block. */
  turnsRound: boolean;
  /** At the end of the first direction, vehicles continue as trips of this line (same block). */
  continuesAs?: Line;
  /** GTFS bikes_allowed. */
  bikes: 0 | 1 | 2;
  /** pickup_type and drop_off_type at ordinary stops. */
  boarding: { pickup: 0 | 2 | 3; dropOff: 0 | 2 | 3 };
  /** Sign shown before the middle of the course, when it differs from the trip's. */
  viaSign?: string;
}

/** What most lines have in common. */
export const ORDINARY = {
  services: ['WEEKDAY', 'SATURDAY', 'SUNDAY'],
  turnsRound: false,
  boarding: { pickup: 0, dropOff: 0 },
} satisfies Partial<Line>;

/** A row of trips.txt. */
export interface Trip {
  id: string;
  line: Line;
  direction: number;
  service: Service;
  /** Seconds after midnight. */
  departure: number;
  /** Running times are stretched by this in the rush hours. */
  stretch: number;
  block: string;
}

const HOUR = 3600;
/** Least seconds that a vehicle waits at the end of a line. */
const LAYOVER = 240;

/** All trips of a line, direction by direction within each service. */
export function* tripsOf(line: Line): Generator<Trip> {
  for (const service of line.services) {
    const lists = line.courses.map((_, direction) => tripsOfDirection(line, direction, service));
    if (line.turnsRound && lists[0] && lists[1]) joinBlocks(lists[0], lists[1]);
    if (line.continuesAs) for (const trip of lists[0] ?? []) trip.block = `${line.id}+${service}+${trip.departure}`;
    for (const list of lists) yield* list;
  }
}

/** Trips of a line that continues another one: each starts where and when a trip of the other one ends. */
export function continuationTrips(first: Line, second: Line): Trip[] {
  return first.services.flatMap((service) =>
    tripsOfDirection(first, 0, service).map((trip) => ({
      ...trip,
      id: `${second.id}.${service}.0.${trip.departure}`,
      line: second,
      departure: trip.departure + runningTime(trip) + 60,
      block: `${first.id}+${service}+${trip.departure}`,
    })),
  );
}

/** Seconds from the first departure to the last arrival of a trip. */
export function runningTime(trip: Trip): number {
  const calls = trip.line.courses[trip.direction]?.calls ?? [];
  return Math.round((calls[calls.length - 1]?.arrival ?? 0) * trip.stretch);
}

function tripsOfDirection(line: Line, direction: number, service: Service): Trip[] {
  return departures(line, direction, service).map((departure) => ({
    id: `${line.id}.${service}.${direction}.${departure}`,
    line,
    direction,
    service,
    departure,
    stretch: isRush(departure) && line.type === RouteType.bus ? 1.15 : 1,
    block: '',
  }));
}

function departures(line: Line, direction: number, service: Service): number[] {
  const { interval } = line;
  if (interval.kind === 'frequency') return [6 * HOUR];
  const start = service === 'NIGHT' ? 24.75 * HOUR : (service === 'SUNDAY' ? 6.5 : 5) * HOUR;
  const end = service === 'NIGHT' ? 28 * HOUR : service === 'SCHOOL' ? 8 * HOUR : 24.6 * HOUR;
  const times: number[] = [];
  let time = start + direction * 180 + (service === 'SCHOOL' ? 2 * HOUR + 420 : 0);
  while (time < end) {
    times.push(Math.round(time / 60) * 60);
    time += gap(interval.headway, time, service);
  }
  return times;
}

/** Seconds to the next departure: rush hours are dense, evenings and Sundays thin. */
function gap(headway: number, time: number, service: Service): number {
  if (service === 'NIGHT') return 1800;
  if (service === 'SATURDAY') return headway * 1.5;
  if (service === 'SUNDAY') return headway * 2;
  if (isRush(time)) return headway;
  return time > 19 * HOUR || time < 6 * HOUR ? headway * 2.5 : headway * 1.5;
}

function isRush(time: number): boolean {
  return (time >= 6.5 * HOUR && time < 9 * HOUR) || (time >= 15 * HOUR && time < 18.5 * HOUR);
}

/** Gives each outward trip and the first free return trip after it a block of their own. */
function joinBlocks(out: Trip[], back: Trip[]): void {
  let next = 0;
  for (const trip of out) {
    const ready = trip.departure + runningTime(trip) + LAYOVER;
    while (next < back.length && (back[next] as Trip).departure < ready) next++;
    const partner = back[next++];
    if (!partner) return;
    trip.block = `B.${trip.id}`;
    partner.block = trip.block;
  }
}
