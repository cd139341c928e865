/** Trip updates of a recorded message, read without the code under test. */

import { PbfReader } from 'pbf';

/** Arrival or departure: exact times take precedence over delays. */
export interface ReadEvent {
  delay?: number;
  /** Epoch seconds. */
  time?: number;
}

/** One call of a trip. */
export interface ReadCall {
  sequence?: number;
  stopId?: string;
  arrival?: ReadEvent;
  departure?: ReadEvent;
  /** 1: skipped, 2: no data. */
  relationship?: number;
}

/** One trip update. */
export interface ReadTrip {
  tripId?: string;
  startDate?: string;
  relationship?: number;
  calls: ReadCall[];
}

type Fields<T> = Readonly<Record<number, (found: T, pbf: PbfReader) => void>>;

const reading =
  <T>(fields: Fields<T>) =>
  (tag: number, found: T, pbf: PbfReader) =>
    fields[tag]?.(found, pbf);

const event = reading<ReadEvent>({
  1: (found, pbf) => {
    found.delay = pbf.readVarint(true);
  },
  2: (found, pbf) => {
    found.time = pbf.readVarint(true);
  },
});

const call = reading<ReadCall>({
  1: (found, pbf) => {
    found.sequence = pbf.readVarint();
  },
  2: (found, pbf) => {
    found.arrival = pbf.readMessage(event, {});
  },
  3: (found, pbf) => {
    found.departure = pbf.readMessage(event, {});
  },
  4: (found, pbf) => {
    found.stopId = pbf.readString();
  },
  5: (found, pbf) => {
    found.relationship = pbf.readVarint();
  },
});

const descriptor = reading<ReadTrip>({
  1: (found, pbf) => {
    found.tripId = pbf.readString();
  },
  3: (found, pbf) => {
    found.startDate = pbf.readString();
  },
  4: (found, pbf) => {
    found.relationship = pbf.readVarint();
  },
});

const update = reading<ReadTrip>({
  1: (found, pbf) => {
    pbf.readMessage(descriptor, found);
  },
  2: (found, pbf) => {
    found.calls.push(pbf.readMessage(call, {}));
  },
});

const entity = reading<ReadTrip[]>({
  3: (found, pbf) => {
    found.push(pbf.readMessage(update, { calls: [] }));
  },
});

const message = reading<ReadTrip[]>({
  2: (found, pbf) => {
    pbf.readMessage(entity, found);
  },
});

/** All trip updates of a message. */
export function readTripUpdates(bytes: Uint8Array): ReadTrip[] {
  return new PbfReader(bytes).readFields(message, []);
}
