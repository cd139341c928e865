/** Times as positions on the axis that all cards share. */

import { MINUTE_MS } from '../state/moment.js';
import { clockTime } from '../text/format.js';

/** A period of time as the width of a card. */
export interface TimeScale {
  readonly from: number;
  readonly to: number;
  /** Times with a label, epoch milliseconds. */
  readonly ticks: readonly number[];
  readonly timeZone: string;
}

/** Minutes between ticks. */
const STEPS = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1440];
const MOST_TICKS = 5;

/** A scale for a period, with ticks at round times of the time zone. */
export function ticksOf(span: { from: number; to: number } | undefined, timeZone: string): TimeScale {
  const { from, to } = span ?? { from: 0, to: 1 };
  const minutes = (to - from) / MINUTE_MS;
  const step = (STEPS.find((one) => minutes / one <= MOST_TICKS) ?? 1440) * MINUTE_MS;
  // Time zones differ from UTC by whole quarters of an hour.
  const shift = zoneShift(from, timeZone) % step;
  const ticks: number[] = [];
  for (let tick = Math.ceil((from + shift) / step) * step - shift; tick <= to; tick += step) ticks.push(tick);
  return { from, to: Math.max(to, from + MINUTE_MS), ticks, timeZone };
}

/** Position of a time on the axis, percent. */
export function positionOn({ from, to }: TimeScale, moment: number): number {
  return ((moment - from) / (to - from)) * 100;
}

/** Milliseconds that the time zone's clocks are ahead of UTC. */
function zoneShift(moment: number, timeZone: string): number {
  const [hours = 0, minutes = 0] = clockTime(moment, timeZone, 'en').split(':').map(Number);
  const utc = new Date(moment);
  return ((hours - utc.getUTCHours()) * 60 + minutes - utc.getUTCMinutes()) * MINUTE_MS;
}
