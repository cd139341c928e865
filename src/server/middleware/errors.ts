/** Errors as plain-text answers; for a bug the answer has the request id, never a stack. */

import { STATUS_CODES } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { statusOf, textOf } from '../../http/answers/error-status.js';
import { respondText } from '../../http/answers/respond.js';
import { HttpError, storageError } from '../../http-error.js';

/** Turns any error of a handler into an answer. */
export function errors(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status >= 400 && ctx.body === undefined) respondText(ctx, ctx.status, `${STATUS_CODES[ctx.status]}\n`);
    } catch (error) {
      respondToError(ctx, error, logger);
    }
  };
}

function respondToError(ctx: Context, error: unknown, logger: Logger): void {
  if (error instanceof HttpError) {
    ctx.set(error.headers);
    return respondText(ctx, error.status, error.text);
  }
  const { message, status: exposed, expose } = error as { message?: string; status?: number; expose?: boolean };
  if (expose && exposed !== undefined) return respondText(ctx, exposed, `${message}\n`);
  const status = statusOf(error);
  if (status === undefined) {
    logger.error({ err: error, method: ctx.method, path: ctx.path, requestId: ctx.state.requestId }, 'request failed');
    const storage = storageError(error);
    if (storage) {
      ctx.set(storage.headers);
      return respondText(ctx, storage.status, storage.text);
    }
    const id = ctx.state.requestId === undefined ? '' : ` (request ${ctx.state.requestId})`;
    return respondText(ctx, 500, `Internal error${id}\n`);
  }
  if (status === 503) ctx.set('Retry-After', '1');
  respondText(ctx, status, textOf(error));
}
