/** Times that a request gives in minutes or hours. */

/** The longest time that searches take; a longer one would become another number on the way to them. */
const MOST_SECONDS = 2 ** 31 - 1;

const SECONDS_OF = { minutes: 60, hours: 3600 };

/** The seconds of a time; of one that is longer than searches take, the longest time, which they refuse. */
export function secondsOf(count: number, unit: keyof typeof SECONDS_OF): number {
  return Math.max(-MOST_SECONDS, Math.min(MOST_SECONDS, count * SECONDS_OF[unit]));
}
