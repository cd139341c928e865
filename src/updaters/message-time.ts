/** The time at which a GTFS-Realtime message was made. */

import { PbfReader } from 'pbf';

/** Epoch seconds of a message; undefined when it has none, or is not such a message. */
export function messageTime(bytes: Uint8Array): number | undefined {
  try {
    const header = (tag: number, found: { time?: number }, pbf: PbfReader) => {
      if (tag === 3) found.time = pbf.readVarint();
    };
    const message = (tag: number, found: { time?: number }, pbf: PbfReader) => {
      if (tag === 1) pbf.readMessage(header, found);
    };
    const { time } = new PbfReader(bytes).readFields(message, {} as { time?: number });
    return time === undefined || time <= 0 ? undefined : time;
  } catch {
    return undefined;
  }
}
