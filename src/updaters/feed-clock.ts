/** Whether a message of a GTFS-Realtime feed is newer than the one before. */

/** A message that is older than what is in use. */
export class OutdatedMessage extends Error {}

/**
 * Keeps messages in order: mirrors of a feed may answer with one that came before. A message that is older by more than
 * data may be old at all is taken: the clock of the feed has been set back.
 */
export class FeedClock {
  #last: number | undefined;

  constructor(private readonly toleranceSec: number) {}

  /** Checks the time of a message, epoch seconds. Throws `OutdatedMessage`. */
  check(time: number | undefined): void {
    if (time === undefined || this.#last === undefined) return;
    const age = this.#last - time;
    if (age > 0 && age <= this.toleranceSec) {
      throw new OutdatedMessage(`the message is ${age} s older than the one before`);
    }
  }

  /** The message of this time is in use now. */
  advance(time: number | undefined): void {
    this.#last = time ?? this.#last;
  }
}
