/** Whether a message of a GTFS-Realtime feed is newer than the previous one. */

/** A message that is older than the one in use. */
export class OutdatedMessage extends Error {}

/**
 * Keeps messages in order, because mirrors of a feed may answer with an earlier one. A message that is older by more
 * than the maximum age of data is accepted: the clock of the feed was set back.
 */
export class FeedClock {
  #last: number | undefined;

  constructor(private readonly toleranceSec: number) {}

  /** Checks the time of a message, epoch seconds. Throws `OutdatedMessage`. */
  check(time: number | undefined): void {
    if (time === undefined || this.#last === undefined) return;
    const age = this.#last - time;
    if (age > 0 && age <= this.toleranceSec) {
      throw new OutdatedMessage(`the message is ${age} s older than the previous one`);
    }
  }

  /** Records that no message is in use. */
  forget(): void {
    this.#last = undefined;
  }

  /** Records that the message of this time is in use. */
  advance(time: number | undefined): void {
    this.#last = time ?? this.#last;
  }
}
