/** `requestLogFile` of a router: one line per plan request, for studies of demand. */

import { appendFile } from 'node:fs/promises';
import type { PlanOutcome, PlanRequest } from '../../../native/types.js';
import { Queues } from '../../../queues.js';
import { type Clocks, wallClock } from '../../params/zoned-time.js';

/** Where and when a request came from. */
export interface RequestOrigin {
  /** Address of the client. */
  address: string;
  /** Epoch milliseconds. */
  atMs: number;
  /** The graph, which knows its time zone. */
  clocks: Clocks;
}

/**
 * `<received> <client> <ARRIVE|DEPART> <travel time> <modes> <from lat> <from lon> <to lat> <to lon>` and for each
 * itinerary its seconds and its number of vehicles. A place without a coordinate has `- -`.
 */
export function planLogLine(request: PlanRequest, outcome: PlanOutcome, origin: RequestOrigin): string {
  const { address, atMs, clocks } = origin;
  const milliseconds = String(atMs % 1000).padStart(3, '0');
  const itineraries = outcome.plan?.itineraries ?? [];
  const fields = [
    `${localTime(atMs / 1000, clocks, true)}.${milliseconds}`,
    address,
    request.arriveBy ? 'ARRIVE' : 'DEPART',
    localTime(request.epochSeconds, clocks, false),
    (request.modes ?? ['TRANSIT', 'WALK']).join(','),
    ...[request.from, request.to].flatMap(({ lat, lon }) => [lat ?? '-', lon ?? '-']),
    ...itineraries.flatMap(({ startTime, endTime, legs }) => [
      Math.round(endTime - startTime),
      legs.filter((leg) => leg.transit && !leg.transit.interlineWithPrevious).length,
    ]),
  ];
  return `${fields.join(' ')}\n`;
}

function localTime(epochSeconds: number, clocks: Clocks, withSeconds: boolean): string {
  const { year, month, day, hour, minute, second } = wallClock(epochSeconds, clocks);
  const two = (number: number) => String(number).padStart(2, '0');
  const time = [hour, minute, ...(withSeconds ? [second] : [])].map(two).join(':');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${time}`;
}

const writes = new Queues();

/** Appends a line after all earlier ones of the file; resolves when it is written, rejects when it cannot be. */
export function appendPlanLog(file: string, line: string): Promise<void> {
  return writes.take(file, () => appendFile(file, line));
}
