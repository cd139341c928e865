/** The application: middleware from the outside in, then the route table. */

import Router from '@koa/router';
import Koa from 'koa';
import conditionalGet from 'koa-conditional-get';
import type { Logger } from 'pino';
import type { Route } from '../http/route.js';
import { ROUTES } from '../http/routes.js';
import { presentTracer } from '../tracing/trace.js';
import type { AppDeps } from './deps.js';
import { authentication } from './middleware/authentication.js';
import { compression } from './middleware/compression.js';
import { cors } from './middleware/cors.js';
import { entityTags } from './middleware/entity-tags.js';
import { errors } from './middleware/errors.js';
import { admit, authorize } from './middleware/guard.js';
import { mediaTypes } from './middleware/media-types.js';
import { methodNotAllowed } from './middleware/methods.js';
import { operations } from './middleware/operations.js';
import { paths } from './middleware/paths.js';
import { rate } from './middleware/rate.js';
import { requestLog } from './middleware/request-log.js';
import { requestTrace } from './middleware/request-trace.js';
import { securityHeaders } from './middleware/security-headers.js';
import { webClient } from './middleware/web-client.js';

/** An application with its dependencies; it does not listen yet. */
export function koaApp(deps: AppDeps, routes: readonly Route[] = ROUTES): Koa {
  const { mount, corsOrigins, insecure, maxQueryLength } = deps.config;
  const app = new Koa();
  app.on('error', (error) => logFailure(deps.logger, error));
  const tracer = presentTracer();
  if (tracer !== undefined) app.use(requestTrace(tracer));
  app.use(requestLog(deps));
  app.use(securityHeaders());
  app.use(cors(mount, corsOrigins));
  app.use(compression());
  app.use(conditionalGet());
  app.use(entityTags());
  app.use(errors(deps.logger));
  app.use(operations({ ...deps, readiness: () => readiness(deps) }));
  app.use(paths(mount, maxQueryLength));
  app.use(rate(deps.shares));
  app.use(authentication(deps.authenticator, insecure));
  app.use(routeTable(deps, routes));
  for (const files of webClient(deps.config)) app.use(files);
  return app;
}

/** What the runtime reports when a client leaves, also before the end of a body. */
const LEFT = /^(?:HPE_\w+|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT)$/;

/** Clients leave at any time, and the line of their request already says so. */
function logFailure(logger: Logger, error: NodeJS.ErrnoException): void {
  if (LEFT.test(String(error.code))) logger.debug({ reason: error.code }, 'client left');
  else logger.warn({ err: error }, 'connection failed');
}

/** Ready: not stopping, and no router of the start is still being loaded. */
function readiness({ draining, registry, startup }: AppDeps): [status: number, text: string] {
  if (draining.begun) return [503, 'stopping\n'];
  if (!startup.done || registry.isLoading()) return [503, 'loading\n'];
  return [200, 'ready\n'];
}

/** Splits the rows into tables by the length of their paths, so that a request is compared with few rows. */
function routeTable(deps: AppDeps, routes: readonly Route[]): Koa.Middleware {
  const { mount } = deps.config;
  const tables = new Map<number, Router>();
  for (const route of routes) {
    const length = segments(mount + route.path);
    const table = tables.get(length) ?? new Router({ prefix: mount, sensitive: true });
    tables.set(length, table);
    const methods = route.method === 'GET' ? ['HEAD', 'GET'] : [route.method];
    table.register(route.path, methods, [authorize(route, deps), mediaTypes(route), admit(route, deps)]);
  }
  const dispatch = new Map([...tables].map(([length, table]) => [length, table.routes()]));
  return (ctx, next) => {
    const table = dispatch.get(segments(ctx.path));
    return table === undefined ? next() : table(ctx as never, () => refuseMethod(ctx, next));
  };
}

/** Number of segments of a path; a slash at its end is ignored, as in the rows. */
function segments(path: string): number {
  return path.split('/').length - (path.endsWith('/') ? 1 : 0);
}

/** A path of the table, requested with a method that it does not have. */
function refuseMethod(ctx: Koa.Context, next: Koa.Next): Promise<unknown> {
  const rows: readonly { methods: string[] }[] = ctx.matched ?? [];
  if (rows.length === 0) return next();
  throw methodNotAllowed([...rows.flatMap(({ methods }) => methods), 'OPTIONS']);
}
