import type { Call } from './course.js';
import type { Table } from './feed-files.js';
import { continuationTrips, type Line, RouteType, type Trip, tripsOf } from './line.js';

/** routes.txt. */
export function routeTable(lines: readonly Line[], agency: string): Table {
  return {
    name: 'routes',
    header:
      'route_id,agency_id,route_short_name,route_long_name,route_type,route_url,route_color,route_text_color,route_sort_order',
    rows: lines.map((line, i) => [
      line.id,
      agency,
      line.shortName,
      line.longName,
      line.type,
      `https://example.org/${line.id}`,
      line.color,
      'FFFFFF',
      i,
    ]),
  };
}

export function tripTable(lines: readonly Line[]): Table {
  return {
    name: 'trips',
    header:
      'route_id,service_id,trip_id,trip_headsign,trip_short_name,direction_id,block_id,shape_id,wheelchair_accessible,bikes_allowed',
    rows: rows(lines, (trip, index) => [
      [
        trip.line.id,
        trip.service,
        trip.id,
        trip.line.courses[trip.direction]?.headsign ?? '',
        trip.line.type === RouteType.rail ? `${trip.line.shortName} ${index}` : '',
        trip.direction,
        trip.block,
        shapeId(trip.line, trip.direction),
        index % 9 === 8 ? 2 : index % 17 === 16 ? 0 : 1,
        trip.line.bikes,
      ],
    ]),
  };
}

/** stop_times.txt. */
export function stopTimeTable(lines: readonly Line[]): Table {
  return {
    name: 'stop_times',
    header:
      'trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type,drop_off_type,shape_dist_traveled,timepoint',
    rows: rows(lines, stopTimes),
  };
}

/** frequencies.txt: a dense and a thin part of the day. */
export function frequencyTable(lines: readonly Line[]): Table {
  return {
    name: 'frequencies',
    header: 'trip_id,start_time,end_time,headway_secs,exact_times',
    rows: rows(lines, (trip) => {
      const { interval } = trip.line;
      if (interval.kind !== 'frequency') return [];
      const exact = interval.exact ? 1 : 0;
      return [
        [trip.id, '06:00:00', '20:00:00', interval.headway, exact],
        [trip.id, '20:00:00', '24:30:00', interval.headway * 2, exact],
      ];
    }),
  };
}

/** shapes.txt. */
export function shapeTable(lines: readonly Line[]): Table {
  return {
    name: 'shapes',
    header: 'shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled',
    rows: shapes(lines),
  };
}

function* shapes(lines: readonly Line[]): Generator<(string | number)[]> {
  for (const line of lines) {
    for (const [direction, course] of line.courses.entries()) {
      const id = shapeId(line, direction);
      for (const [i, { position, distance }] of course.shape.entries()) {
        yield [id, position.lat.toFixed(6), position.lon.toFixed(6), i + 1, distance];
      }
    }
  }
}

/** The rows that `write` gives for every trip of the lines, made while they are read. */
function* rows(
  lines: readonly Line[],
  write: (trip: Trip, index: number) => readonly (string | number)[][],
): Generator<(string | number)[]> {
  const continued = new Set(lines.map((line) => line.continuesAs).filter((line) => line !== undefined));
  let index = 0;
  for (const line of lines) {
    // Its trips are made together with those that they continue.
    if (continued.has(line)) continue;
    for (const trip of tripsOf(line)) yield* write(trip, index++);
    if (!line.continuesAs) continue;
    for (const trip of continuationTrips(line, line.continuesAs)) yield* write(trip, index++);
  }
}

function stopTimes(trip: Trip): (string | number)[][] {
  const { line } = trip;
  const calls = line.courses[trip.direction]?.calls ?? [];
  const middle = Math.floor(calls.length / 2);
  return calls.map((call: Call, i) => {
    const ordinary = i > 0 && i < calls.length - 1;
    return [
      trip.id,
      clock(trip.departure + Math.round(call.arrival * trip.stretch)),
      clock(trip.departure + Math.round(call.departure * trip.stretch)),
      call.stop.id,
      i + 1,
      line.viaSign !== undefined && i < middle ? line.viaSign : '',
      i === calls.length - 1 ? 1 : ordinary ? line.boarding.pickup : 0,
      i === 0 ? 1 : ordinary ? line.boarding.dropOff : 0,
      call.distance,
      i % 3 === 0 ? 1 : 0,
    ];
  });
}

function shapeId(line: Line, direction: number): string {
  return `${line.id}.${direction}`;
}

/** `hh:mm:ss`, hours past 24 for the small hours of the next day. */
function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
