/** For the operators of a process, outside the mount: health and metrics. */

import type { Context, Middleware } from 'koa';
import { respondText } from '../../http/answers/respond.js';
import { requireReading } from './methods.js';

/** What a process reports about itself. */
interface Operations {
  /** Status and text of `/health/ready`. */
  readonly readiness: () => readonly [status: number, text: string];
  readonly metrics: { readonly contentType: string };
  /** In Prometheus' text form. */
  readonly metricsText: () => Promise<string>;
}

/** Answers GET and HEAD for `/health/live`, `/health/ready` and `/metrics`, and refuses other methods; other paths pass. */
export function operations({ readiness, metrics, metricsText }: Operations): Middleware {
  const answers: Readonly<Record<string, (ctx: Context) => Promise<void> | void>> = {
    '/health/live': (ctx) => respondText(ctx, 200, 'live\n'),
    '/health/ready': (ctx) => respondText(ctx, ...readiness()),
    '/metrics': async (ctx) => {
      ctx.set('Content-Type', metrics.contentType);
      ctx.body = await metricsText();
    },
  };
  return async (ctx, next) => {
    const answer = Object.hasOwn(answers, ctx.path) ? answers[ctx.path] : undefined;
    if (answer === undefined) return next();
    requireReading(ctx);
    ctx.set('Cache-Control', 'no-store');
    await answer(ctx as Context);
  };
}
