/** `requestLogFile` of a router: one line per plan request, for studies of demand. */

import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import type { PlanOutcome, PlanRequest } from '../../../native/types.js';
import { Queues } from '../../../queues.js';
import { makeDirectory } from '../../../storage/directory.js';
import { type Clocks, dateOf, hourAndMinute, timeOfDay } from '../../../zoned-time.js';

/** Where and when a request came from. */
interface RequestOrigin {
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
    `${dateOf(atMs / 1000, clocks)}T${timeOfDay(atMs / 1000, clocks)}.${milliseconds}`,
    address,
    request.arriveBy ? 'ARRIVE' : 'DEPART',
    `${dateOf(request.epochSeconds, clocks)}T${hourAndMinute(request.epochSeconds, clocks)}`,
    (request.modes ?? ['TRANSIT', 'WALK']).join(','),
    ...[request.from, request.to].flatMap(({ lat, lon }) => [lat ?? '-', lon ?? '-']),
    ...itineraries.flatMap(({ startTime, endTime, legs }) => [
      Math.round(endTime - startTime),
      legs.filter((leg) => leg.transit && !leg.transit.interlineWithPrevious).length,
    ]),
  ];
  return `${fields.join(' ')}\n`;
}

const writes = new Queues();

/**
 * Appends a line after all earlier ones of the file, whose directory is made if it is missing. Resolves when it is
 * written, rejects when it cannot be.
 */
export function appendPlanLog(file: string, line: string): Promise<void> {
  return writes.take(file, async () => {
    try {
      await appendFile(file, line);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await makeDirectory(path.dirname(file));
      await appendFile(file, line);
    }
  });
}
