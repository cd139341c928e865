/** A collector of traces: an HTTP server that takes OTLP as JSON and keeps the spans. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { ExecutionContext } from 'ava';

/** A span as a collector sees it. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first one of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** As in OTLP: 1 internal, 2 server, 4 producer, 5 consumer. */
  readonly kind: number;
  /** Nanoseconds since 1970. */
  readonly from: bigint;
  readonly to: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  /** Attributes of the process that sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** Starts one; it ends with the test. */
export async function startCollector(t: ExecutionContext) {
  const spans: CollectedSpan[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    if (request.url === '/v1/traces') spans.push(...spansOf(JSON.parse(text.toString())));
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'Content-Type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans };
}

function spansOf(message: any): CollectedSpan[] {
  return message.resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap((scope: any) =>
      scope.spans.map((span: any) => ({
        ...span,
        parentSpanId: span.parentSpanId ?? '',
        from: BigInt(span.startTimeUnixNano),
        to: BigInt(span.endTimeUnixNano),
        attributes: valuesOf(span.attributes),
        failed: span.status?.code === 2,
        resource: valuesOf(resource.attributes),
      })),
    ),
  );
}

/** Attributes by their names. */
function valuesOf(attributes: any[] = []): Record<string, unknown> {
  const one = ({ key, value }: any) => [
    key,
    value.stringValue ?? value.boolValue ?? value.doubleValue ?? value.intValue,
  ];
  return Object.fromEntries(attributes.map(one));
}
