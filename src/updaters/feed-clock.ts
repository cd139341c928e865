/** The time that messages of a GTFS-Realtime feed say they were made. */

import { PbfReader } from 'pbf';

/** A message that is older than what is in use. */
export class OutdatedMessage extends Error {}

/** Epoch seconds of a message; undefined when it says none, or is no such message. */
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

/**
 * Keeps messages in order: mirrors of a feed may answer with one that came before. A message that is older by more than
 * data may be old at all is taken: the clock of the feed has been set back.
 */
export class FeedClock {
  #last: number | undefined;

  constructor(private readonly toleranceSec: number) {}

  /** Throws `OutdatedMessage`. */
  check(bytes: Uint8Array): number | undefined {
    const time = messageTime(bytes);
    if (time === undefined || this.#last === undefined) return time;
    const age = this.#last - time;
    if (age > 0 && age <= this.toleranceSec) {
      throw new OutdatedMessage(`the message is ${age} s older than the one before`);
    }
    return time;
  }

  /** The message of this time is in use now. */
  advance(time: number | undefined): void {
    this.#last = time ?? this.#last;
  }
}
