/** GTFS-Realtime messages made from a few facts. */

import { PbfWriter } from 'pbf';

type Write = (pbf: PbfWriter) => void;

/**
 * Delays of a trip by stop_sequence; `canceled` for a trip that does not run, and `deleted` for one that is not to be
 * shown either; `calls` for one with other stops, which
 * is added to a `route` or, without one, replaces the trip with that id; `copy` for a copy of the trip.
 */
export interface TripFacts {
  trip: string;
  date: string;
  canceled?: boolean;
  deleted?: boolean;
  delays?: Readonly<Record<number, number>>;
  route?: string;
  /** Stop and epoch second of each call. */
  calls?: readonly (readonly [stop: string, time: number])[];
  /** Id of the copy, and `HH:MM:SS` of its first call. */
  copy?: readonly [id: string, start: string];
}

/** Values of schedule_relationship. */
const [ADDED, CANCELED, REPLACED, DUPLICATED, DELETED] = [1, 3, 5, 6, 7];

/** A message with trip updates, made at `time` (epoch seconds). */
export function tripUpdates(trips: readonly TripFacts[], differential = false, time?: number): Uint8Array {
  return message(
    differential,
    trips.map((facts) => (pbf) => pbf.writeMessage(3, (_, inner) => writeTrip(facts, inner), null)),
    time,
  );
}

/** A message with one alert about a route. */
export function routeAlert(route: string, header: string, period?: { start: number; end: number }): Uint8Array {
  const alert: Write = (pbf) => {
    if (period) {
      const range = (_: unknown, inner: PbfWriter) => {
        inner.writeVarintField(1, period.start);
        inner.writeVarintField(2, period.end);
      };
      pbf.writeMessage(1, range, null);
    }
    pbf.writeMessage(5, (_, entity) => entity.writeStringField(2, route), null);
    pbf.writeMessage(10, (_, texts) => texts.writeMessage(1, (__, t) => t.writeStringField(1, header), null), null);
  };
  return message(false, [(pbf) => pbf.writeMessage(5, (_, inner) => alert(inner), null)]);
}

/** A message with the position of one vehicle on a trip. */
export function vehiclePosition(id: string, trip: string, [lat, lon]: readonly [number, number]): Uint8Array {
  const vehicle: Write = (pbf) => {
    pbf.writeMessage(1, (_, descriptor) => descriptor.writeStringField(1, trip), null);
    const place = (_: unknown, position: PbfWriter) => {
      position.writeFloatField(1, lat);
      position.writeFloatField(2, lon);
      position.writeFloatField(3, 90);
    };
    pbf.writeMessage(2, place, null);
    pbf.writeMessage(8, (_, descriptor) => descriptor.writeStringField(1, id), null);
  };
  return message(false, [(pbf) => pbf.writeMessage(4, (_, inner) => vehicle(inner), null)]);
}

/** A message with this many detours (`TripModifications`). */
export function detours(count: number): Uint8Array {
  const detour = (pbf: PbfWriter) =>
    pbf.writeMessage(8, (_, modifications) => modifications.writeStringField(3, '20240108'), null);
  return message(
    false,
    Array.from({ length: count }, () => detour),
  );
}

function message(differential: boolean, entities: readonly Write[], time?: number): Uint8Array {
  const pbf = new PbfWriter();
  pbf.writeMessage(
    1,
    (_, header) => {
      header.writeStringField(1, '2.0');
      header.writeVarintField(2, differential ? 1 : 0);
      if (time !== undefined) header.writeVarintField(3, time);
    },
    null,
  );
  for (const [i, write] of entities.entries()) {
    const entity = (_: unknown, inner: PbfWriter) => {
      inner.writeStringField(1, String(i));
      write(inner);
    };
    pbf.writeMessage(2, entity, null);
  }
  return pbf.finish();
}

function writeTrip(facts: TripFacts, pbf: PbfWriter): void {
  const { trip, date, canceled, deleted, delays = {}, route, calls, copy } = facts;
  const copied = copy && DUPLICATED;
  const replaced = calls === undefined ? copied : REPLACED;
  const running = route === undefined ? replaced : ADDED;
  const relationship = deleted ? DELETED : canceled ? CANCELED : running;
  const descriptor = (_: unknown, inner: PbfWriter) => {
    inner.writeStringField(1, trip);
    inner.writeStringField(3, date);
    if (relationship !== undefined) inner.writeVarintField(4, relationship);
    if (route !== undefined) inner.writeStringField(5, route);
  };
  pbf.writeMessage(1, descriptor, null);
  for (const [sequence, delay] of Object.entries(delays)) {
    const event = (_: unknown, inner: PbfWriter) => inner.writeVarintField(1, delay);
    const call = (_: unknown, inner: PbfWriter) => {
      inner.writeVarintField(1, Number(sequence));
      inner.writeMessage(2, event, null);
      inner.writeMessage(3, event, null);
    };
    pbf.writeMessage(2, call, null);
  }
  for (const [stop, time] of calls ?? []) {
    const call = (_: unknown, inner: PbfWriter) => {
      inner.writeMessage(2, (__, event) => event.writeVarintField(2, time), null);
      inner.writeStringField(4, stop);
    };
    pbf.writeMessage(2, call, null);
  }
  if (copy === undefined) return;
  const properties = (_: unknown, inner: PbfWriter) => {
    for (const [field, text] of [copy[0], date, copy[1]].entries()) inner.writeStringField(field + 1, text);
  };
  pbf.writeMessage(6, properties, null);
}
