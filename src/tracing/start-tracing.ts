/** Turns tracing on if the environment says so. Only then are the libraries of OpenTelemetry loaded. */

import { presentTracer, setTracer, traceMethods } from './trace.js';

/** Searches of a graph that are computed by the addon. */
const SEARCHES = ['plan', 'surface', 'isochrone', 'matrix', 'profile', 'windowSurfaces'] as const;

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
 * exporter or a protocol other than OTLP over HTTP. `onFailure` is called when spans are lost.
 */
export async function startTracing(
  graph: { prototype: object },
  environment: Environment,
  onFailure: (error: unknown) => void,
): Promise<void> {
  if (!wantsTraces(environment) || presentTracer() !== undefined) return;
  const { openTelemetry } = await import('./open-telemetry.js');
  setTracer(openTelemetry(environment, onFailure));
  traceMethods(graph.prototype, SEARCHES, 'kernel');
}

/** Sends the remaining spans and ends tracing. Rejects when they cannot be sent, for which it tries some seconds. */
export async function stopTracing(): Promise<void> {
  const tracer = presentTracer();
  setTracer(undefined);
  await tracer?.close();
}
