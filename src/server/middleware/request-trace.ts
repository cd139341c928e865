/** A span for each request, inside that of the sender if the request names it. Used only while tracing is on. */

import type { Middleware } from 'koa';
import type { Tracer } from '../../tracing/trace.js';

/**
 * Called by the request log when the answer has been sent or the client has left; the route is the row of the route
 * table.
 */
export type RequestEnded = (status: number, route: string | undefined) => void;

/** Paths that are requested every few seconds and are not worth a trace. */
const QUIET = /^\/(?:health\/|metrics$)/;

/** The outermost middleware. Queries are not part of the span. */
export function requestTrace(tracer: Tracer): Middleware {
  return (ctx, next) => {
    if (QUIET.test(ctx.path)) return next();
    const { method } = ctx;
    const parent = ctx.get('traceparent');
    const span = tracer.open({
      name: method,
      kind: 'server',
      attributes: { 'http.request.method': method, 'url.path': ctx.path, 'url.scheme': ctx.protocol },
      ...(parent === '' ? {} : { parent }),
    });
    const ended: RequestEnded = (status, route) => {
      if (route !== undefined) span.rename(`${method} ${route}`);
      span.set({
        ...(route === undefined ? {} : { 'http.route': route }),
        'http.response.status_code': status,
        'trestle.request_id': String(ctx.state.requestId),
      });
      span.end(status >= 500 ? `answered with ${status}` : undefined);
    };
    ctx.state.ended = ended;
    return span.within(next);
  };
}
