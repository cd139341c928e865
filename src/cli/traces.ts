/** Traces of commands that run until they are stopped. A collector that is gone is logged, and delays their end little. */

import type { Logger } from 'pino';
import { reportSeldom } from '../jobs/failure-reports.js';
import { startTracing, stopTracing } from '../tracing/start-tracing.js';
import { within } from '../within.js';

/** Longest time for sending the last spans, milliseconds. */
const LAST_SPANS_MS = 2000;

const failed = (logger: Logger) => (err: unknown) => logger.warn({ err }, 'traces could not be sent');

/** As `startTracing`; while spans are lost, the log says so once a minute. */
export function beginTraces(graph: { prototype: object }, logger: Logger): Promise<void> {
  return startTracing(graph, process.env, reportSeldom(failed(logger)));
}

/** Sends the last spans if that takes no longer than a moment. */
export async function endTraces(logger: Logger): Promise<void> {
  const sent = stopTracing().then(() => true);
  const areSent = await within(sent, LAST_SPANS_MS).catch(() => false);
  if (!areSent) failed(logger)(new Error('the collector has not taken the last spans'));
}
