/** One log line and one measurement per request, with an id that the client gets back. */

import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Route } from '../../http/route.js';
import type { AppDeps } from '../deps.js';
import type { RequestEnded } from './request-trace.js';

/** Ids of other systems are kept if they are harmless in a log. */
const FOREIGN_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The outermost middleware, so that it sees every answer, including those of failures. Leaves `requestId` and `origin` in
 * the state.
 */
export function requestLog({ logger, metrics, origins }: AppDeps): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    const given = ctx.get('X-Request-Id');
    const requestId = FOREIGN_ID.test(given) ? given : randomUUID();
    ctx.state.requestId = requestId;
    ctx.state.origin = origins.read(ctx.req);
    ctx.set('X-Request-Id', requestId);
    ctx.res.once('close', () => {
      const ms = performance.now() - started;
      const path = (ctx.state.route as Route | undefined)?.path;
      const route = path ?? 'none';
      const status = ctx.res.writableFinished ? ctx.status : 499;
      (ctx.state.ended as RequestEnded | undefined)?.(status, path);
      metrics.requests.inc({ method: knownMethod(ctx.method), route, status });
      metrics.duration.observe({ route }, ms / 1000);
      const { address } = ctx.state.origin;
      const user = ctx.state.principal?.name;
      // The query may show where people live: it is logged only at debug level.
      const target = logger.isLevelEnabled('debug') ? ctx.originalUrl : ctx.path;
      const level = levelOf(status, ctx.path);
      const milliseconds = Math.round(ms * 10) / 10;
      logger[level]({ requestId, method: ctx.method, target, status, milliseconds, address, user }, 'request');
    });
    await next();
  };
}

/** Health checks come every few seconds and are not logged while all is well. */
function levelOf(status: number, path: string): 'error' | 'info' | 'debug' {
  if (status >= 500 && status !== 503) return 'error';
  return status === 200 && (path.startsWith('/health/') || path === '/metrics') ? 'debug' : 'info';
}

function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'].includes(method) ? method : 'other';
}
