import type { LatLon, Terrain } from '../terrain.js';
import type { Axis, PlanPoint, TownPlan } from '../town-plan.js';
import { GATES } from '../town-plan.js';

/** A row of stops.txt. */
export interface Stop {
  id: string;
  code: string;
  name: string;
  position: LatLon;
  zone: string;
  /** 0 stop or platform, 1 station, 2 entrance. */
  locationType: 0 | 1 | 2;
  parent: string;
  platform: string;
  wheelchair: 0 | 1 | 2;
}

/** A stop of a course. */
export interface Call {
  stop: Stop;
  /** Metres along the shape. */
  distance: number;
  /** Seconds after the start of the trip. */
  arrival: number;
  departure: number;
}

/** One direction of a line: where it runs and where it stops. */
export interface Course {
  headsign: string;
  shape: { position: LatLon; distance: number }[];
  calls: Call[];
}

/** How fast a kind of vehicle is. */
export interface Pace {
  /** Metres per second between stops. */
  speed: number;
  /** Seconds at every stop, starting and braking included. */
  dwell: number;
}

/** A street of the lattice as travelled: from its corner to the next one, or back. */
export interface Ride {
  axis: Axis;
  column: number;
  row: number;
  forward: boolean;
}

/** Point of a course: a stop or just a bend. */
export interface Waypoint {
  point: PlanPoint;
  stop?: Stop;
}

/** A course through points; its times and distances follow from the pace and the bent plan. */
export function layCourse(terrain: Terrain, waypoints: readonly Waypoint[], pace: Pace, headsign: string): Course {
  const course: Course = { headsign, shape: [], calls: [] };
  let distance = 0;
  let time = 0;
  let before: PlanPoint | undefined;
  for (const { point, stop } of waypoints) {
    const metres = before ? terrain.distance(before, point) : 0;
    before = point;
    distance += metres;
    time += metres / pace.speed;
    course.shape.push({ position: terrain.locate(point), distance: Math.round(distance) });
    if (!stop) continue;
    const arrival = Math.round(time);
    const first = course.calls.length === 0;
    course.calls.push({ stop, distance: Math.round(distance), arrival, departure: arrival + (first ? 0 : pace.dwell) });
    time += first ? 0 : pace.dwell;
  }
  const last = course.calls[course.calls.length - 1];
  if (last) last.departure = last.arrival;
  return course;
}

/** Bends and stops along streets of the lattice; `shares` say where along each street stops are, in its direction. */
export function followStreets(
  plan: TownPlan,
  rides: readonly Ride[],
  shares: readonly number[],
  stopAt: (ride: Ride, share: number) => Stop | undefined,
): Waypoint[] {
  const waypoints: Waypoint[] = [];
  rides.forEach((ride, i) => {
    const bends = plan.isBridge(ride.axis, ride.column, ride.row) ? 1 : GATES + 1;
    const places: { share: number; stop?: Stop }[] = [];
    for (let bend = i === 0 ? 0 : 1; bend <= bends; bend++) places.push({ share: bend / bends });
    if (bends > 1) for (const share of shares) places.push({ share, stop: stopAt(ride, share) });
    places.sort((a, b) => a.share - b.share);
    for (const { share, stop } of places) {
      const along = ride.forward ? share : 1 - share;
      waypoints.push({ point: plan.along(ride.axis, ride.column, ride.row, along), ...(stop ? { stop } : {}) });
    }
  });
  return waypoints;
}

/** The same streets in the other direction. */
export function reversed(rides: readonly Ride[]): Ride[] {
  return rides.map((ride) => ({ ...ride, forward: !ride.forward })).reverse();
}
