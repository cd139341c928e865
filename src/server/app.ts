/** The application: middleware from the outside in, then the route table. */

import Router from '@koa/router';
import Koa from 'koa';
import compress from 'koa-compress';
import type { Route } from '../http/route.js';
import { ROUTES } from '../http/routes.js';
import type { AppDeps } from './deps.js';
import { cors } from './middleware/cors.js';
import { errors } from './middleware/errors.js';
import { mediaTypes } from './middleware/media-types.js';
import { paths } from './middleware/paths.js';

/** Answers smaller than this many bytes are sent as they are. */
const COMPRESS_FROM = 2048;

/** An application over its dependencies; it listens to nothing yet. */
export function createApp(deps: AppDeps, routes: readonly Route[] = ROUTES): Koa {
  const { mount, corsOrigins } = deps.config;
  const app = new Koa();
  app.on('error', (error) => deps.logger.warn({ err: error }, 'connection failed'));
  app.use(cors(mount, corsOrigins));
  app.use(
    compress({ threshold: COMPRESS_FROM, br: false, zstd: false, gzip: { level: 4 } } as compress.CompressOptions),
  );
  app.use(errors(deps.logger));
  app.use(paths(mount));
  app.use(routeTable(deps, routes));
  return app;
}

function routeTable(deps: AppDeps, routes: readonly Route[]): Koa.Middleware {
  const router = new Router({ prefix: deps.config.mount, sensitive: true });
  for (const route of routes) {
    const methods = route.method === 'GET' ? ['HEAD', 'GET'] : [route.method];
    router.register(route.path, methods, [mediaTypes(route), (ctx) => route.handler(ctx as never, deps)]);
  }
  const dispatch = router.routes();
  const refuse = router.allowedMethods({ throw: true });
  return (ctx, next) => dispatch(ctx as never, () => refuse(ctx as never, next));
}
