/** Messages of trip updates about trips that are under way, as a transit agency sends them. */

import { PbfWriter } from 'pbf';
import type { StopTimes, TripGraph } from '../native/types.js';
import { Random } from './random.js';

/** A trip with the stop_sequence of each call. */
interface RunningTrip {
  /** trip_id without the feed. */
  id: string;
  sequences: readonly number[];
}

/** Stops that are looked up in one step. */
const STOPS_AT_A_TIME = 32;
/** Seconds before and after a time in which a trip leaves a stop to count as under way. */
const [BEFORE, AFTER] = [1800, 14_400];
/** Number of different messages, which are sent in turn. */
const MESSAGES = 20;

/**
 * Messages about the same trips, at most `count`, each of which gives all of them other delays than the message before.
 *
 * @param date - Service day, for example 2026-11-23.
 * @param time - Time of the day at which the trips are under way, for example 8:30.
 */
export async function tripUpdateMessages(
  graph: TripGraph,
  count: number,
  date: string,
  time: string,
  seed: number,
): Promise<Uint8Array[]> {
  const random = new Random(seed, 'trip updates');
  const day = date.replaceAll('-', '');
  const trips = await runningTrips(graph, count, day, secondsOf(time), random);
  return Array.from({ length: MESSAGES }, () => message(trips, day, random));
}

async function runningTrips(
  graph: TripGraph,
  count: number,
  day: string,
  time: number,
  random: Random,
): Promise<RunningTrip[]> {
  const stops = Array.from(graph.list('stops'));
  const found = new Set<number>();
  while (stops.length > 0 && found.size < count) {
    const some = Array.from({ length: Math.min(STOPS_AT_A_TIME, stops.length) }, () => taken(stops, random));
    const calls = await graph.stopTimesOnDate(some, day);
    for (const [i, trip] of calls.trips.entries()) {
      const departure = (calls.scheduledDepartures[i] as number) - time;
      if (found.size < count && departure >= -BEFORE && departure <= AFTER) found.add(trip);
    }
  }
  const indices = Uint32Array.from(found);
  const sequences = sequencesByTrip(await graph.tripStopTimes(indices));
  const trips = await graph.trips(indices);
  return trips.map(({ index, id }) => ({
    id: id.slice(id.indexOf(':') + 1),
    sequences: sequences.get(index) ?? [],
  }));
}

/** Takes a random element out of a list that is not empty. */
function taken(list: number[], random: Random): number {
  const i = random.integer(0, list.length - 1);
  const element = list[i] as number;
  list[i] = list[list.length - 1] as number;
  list.pop();
  return element;
}

function sequencesByTrip({ trips, sequences }: StopTimes): Map<number, number[]> {
  const byTrip = new Map<number, number[]>();
  for (const [i, trip] of trips.entries()) {
    const known = byTrip.get(trip) ?? [];
    known.push(sequences[i] as number);
    byTrip.set(trip, known);
  }
  return byTrip;
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * 60;
}

/** Every trip has a delay from its first call on, which grows once on the way. */
function message(trips: readonly RunningTrip[], day: string, random: Random): Uint8Array {
  const pbf = new PbfWriter();
  pbf.writeMessage(1, (_, header) => header.writeStringField(1, '2.0'), null);
  for (const [i, { id, sequences }] of trips.entries()) {
    const first = random.integer(-30, 600);
    const delays = [
      [sequences[0] ?? 0, first],
      [sequences[sequences.length >> 1] ?? 0, first + random.integer(0, 120)],
    ] as const;
    const update = (_: unknown, inner: PbfWriter) => writeUpdate(inner, id, day, delays);
    const entity = (_: unknown, inner: PbfWriter) => {
      inner.writeStringField(1, String(i));
      inner.writeMessage(3, update, null);
    };
    pbf.writeMessage(2, entity, null);
  }
  return pbf.finish();
}

function writeUpdate(
  pbf: PbfWriter,
  trip: string,
  day: string,
  delays: ReadonlyArray<readonly [number, number]>,
): void {
  const descriptor = (_: unknown, inner: PbfWriter) => {
    inner.writeStringField(1, trip);
    inner.writeStringField(3, day);
  };
  pbf.writeMessage(1, descriptor, null);
  for (const [sequence, delay] of delays) {
    const event = (_: unknown, inner: PbfWriter) => inner.writeVarintField(1, delay);
    const call = (_: unknown, inner: PbfWriter) => {
      inner.writeVarintField(1, sequence);
      inner.writeMessage(2, event, null);
      inner.writeMessage(3, event, null);
    };
    pbf.writeMessage(2, call, null);
  }
}
