/** For the operators of the server, outside the mount: health and metrics. */

import type { Context, Middleware } from 'koa';
import { respondText } from '../../http/respond.js';
import type { AppDeps } from '../deps.js';

/** Answers `/health/live`, `/health/ready` and `/metrics`; everything else passes. */
export function operations(deps: AppDeps): Middleware {
  const answers: Readonly<Record<string, (ctx: Context) => Promise<void> | void>> = {
    '/health/live': (ctx) => respondText(ctx, 200, 'live\n'),
    '/health/ready': (ctx) => respondText(ctx, ...readiness(deps)),
    '/metrics': async (ctx) => {
      ctx.set('Content-Type', deps.metrics.contentType);
      ctx.body = await deps.metricsText();
    },
  };
  return async (ctx, next) => {
    const answer = Object.hasOwn(answers, ctx.path) ? answers[ctx.path] : undefined;
    if (answer === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.set('Cache-Control', 'no-store');
    await answer(ctx as Context);
  };
}

/** Ready: not stopping, and no router of the start is still being loaded. */
function readiness({ draining, registry, startup }: AppDeps): [status: number, text: string] {
  if (draining.begun) return [503, 'stopping\n'];
  if (!startup.done || registry.isLoading()) return [503, 'loading\n'];
  return [200, 'ready\n'];
}
