/** Times that a request gives in minutes or hours. */

import { INT_MAX } from '../../native/number-limits.js';

const SECONDS_OF = { minutes: 60, hours: 3600 };

/** A time in seconds, cut to what 32 bits hold: searches refuse a time that long, and no contour reaches it. */
export function secondsOf(count: number, unit: keyof typeof SECONDS_OF): number {
  return Math.max(-INT_MAX, Math.min(INT_MAX, count * SECONDS_OF[unit]));
}
