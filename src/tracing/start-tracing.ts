/** Turns tracing on if the environment says so. Only then are the libraries of OpenTelemetry loaded. */

import type { Logger } from 'pino';
import { reportSeldom } from '../failure-reports.js';
import { within } from '../within.js';
import { presentTracer, setTracer, traceMethods } from './trace.js';

/** Searches of a graph that are computed by the addon. */
const SEARCHES = ['plan', 'surface', 'isochrone', 'matrix', 'profile', 'windowSurfaces'] as const;

/** Longest time for sending the last spans, milliseconds. */
const LAST_SPANS_MS = 2000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the usual variables turn tracing on: one of them names a collector, and none of them turns tracing off. */
export function wantsTraces(environment: Environment): boolean {
  const value = (name: string) => environment[name]?.trim().toLowerCase() ?? '';
  if (value('OTEL_SDK_DISABLED') === 'true' || value('OTEL_TRACES_EXPORTER') === 'none') return false;
  const names = ['OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  return names.some((name) => value(name) !== '');
}

/**
 * Begins to trace if the environment asks for it. `graph` is the class whose searches become spans. Throws for an
 * exporter or a protocol other than OTLP over HTTP. While spans are lost, the log says so once a minute.
 */
export async function startTracing(
  graph: { prototype: object },
  logger: Logger,
  environment: Environment = process.env,
): Promise<void> {
  if (!wantsTraces(environment) || presentTracer() !== undefined) return;
  const { openTelemetry } = await import('./open-telemetry.js');
  setTracer(openTelemetry(environment, reportSeldom(logLoss(logger))));
  traceMethods(graph.prototype, SEARCHES, 'kernel');
}

/** Ends tracing, and sends the last spans if that takes no longer than a moment. */
export async function stopTracing(logger: Logger): Promise<void> {
  const tracer = presentTracer();
  if (tracer === undefined) return;
  setTracer(undefined);
  const sent = tracer.close().then(() => true);
  const areSent = await within(sent, LAST_SPANS_MS).catch(() => false);
  if (!areSent) logLoss(logger)(new Error('the collector has not taken the last spans'));
}

const logLoss = (logger: Logger) => (err: unknown) => logger.warn({ err }, 'traces could not be sent');
