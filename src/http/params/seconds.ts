/** Times that a request gives in minutes or hours. */

/** The most seconds that 32 bits hold; the addon would take more for another number. */
const MOST_SECONDS = 2 ** 31 - 1;

const SECONDS_OF = { minutes: 60, hours: 3600 };

/** A time in seconds, at most as many as 32 bits hold: searches refuse so long a time, and no contour reaches it. */
export function secondsOf(count: number, unit: keyof typeof SECONDS_OF): number {
  return Math.max(-MOST_SECONDS, Math.min(MOST_SECONDS, count * SECONDS_OF[unit]));
}
