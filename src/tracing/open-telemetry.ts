/** Spans by the SDK of OpenTelemetry, sent by OTLP over HTTP. Loaded only when tracing is on. */

import {
  context,
  DiagLogLevel,
  diag,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  envDetector,
  hostDetector,
  processDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { OpenSpan, SpanStart, Tracer } from './trace.js';

const KINDS = { server: SpanKind.SERVER, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER } as const;

/**
 * A tracer with the usual variables: the address and headers of the collector (`OTEL_EXPORTER_OTLP_…`), sampling
 * (`OTEL_TRACES_SAMPLER`), batching (`OTEL_BSP_…`), names (`OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`).
 * `onFailure` is called when spans are lost.
 */
export function openTelemetry(
  environment: Readonly<Record<string, string | undefined>>,
  onFailure: (error: unknown) => void,
): Tracer {
  refuseOthers(environment, 'OTEL_TRACES_EXPORTER', ['otlp']);
  // Collectors take JSON and binary data at the same address; this exporter sends JSON.
  const protocols = ['http/json', 'http/protobuf'];
  refuseOthers(environment, 'OTEL_EXPORTER_OTLP_PROTOCOL', protocols);
  refuseOthers(environment, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', protocols);
  const detected = detectResources({ detectors: [hostDetector, processDetector, envDetector] });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'trestle' }).merge(detected),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const report = (text: string) => onFailure(errorOf(text));
  const quiet = () => {};
  diag.setLogger(
    { error: report, warn: report, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  // Keeps the current span over awaits, and reads and writes `traceparent`.
  provider.register();
  const spans = provider.getTracer('trestle');
  return {
    open: (start) => {
      const parent = start.parent === undefined ? context.active() : contextOf(start.parent);
      const { name, kind, attributes = {}, since } = start;
      const span = spans.startSpan(name, { kind: kindOf(kind), attributes, ...sinceOf(since) }, parent);
      return new OpenedSpan(span, trace.setSpan(parent, span));
    },
    get present() {
      const carrier: { traceparent?: string } = {};
      propagation.inject(context.active(), carrier);
      return carrier.traceparent;
    },
    close: () => provider.shutdown(),
  };
}

/** The library writes errors as JSON. */
function errorOf(text: string): Error {
  try {
    const { message, stack } = JSON.parse(text) as { message?: string; stack?: string };
    return Object.assign(new Error(message ?? text), stack === undefined ? {} : { stack });
  } catch {
    return new Error(text);
  }
}

class OpenedSpan implements OpenSpan {
  constructor(
    private readonly span: Span,
    private readonly inside: ReturnType<typeof trace.setSpan>,
  ) {}

  within<T>(work: () => T): T {
    return context.with(this.inside, work);
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(attributes: Parameters<OpenSpan['set']>[0]): void {
    this.span.setAttributes(attributes);
  }

  end(failure?: unknown): void {
    if (failure !== undefined) {
      const message = failure instanceof Error ? failure.message : String(failure);
      this.span.setStatus({ code: SpanStatusCode.ERROR, message });
    }
    this.span.end();
  }
}

/** The context that a `traceparent` names; none when it is malformed. */
function contextOf(traceparent: string) {
  return propagation.extract(ROOT_CONTEXT, { traceparent });
}

const kindOf = (kind: SpanStart['kind']) => (kind === undefined ? SpanKind.INTERNAL : KINDS[kind]);

const sinceOf = (since: number | undefined) => (since === undefined ? {} : { startTime: since });

function refuseOthers(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  known: readonly string[],
) {
  const value = environment[name]?.trim();
  if (value === undefined || value === '' || known.includes(value)) return;
  throw new Error(`${name}: expected ${known.join(' or ')}, found ${value}`);
}
