/** Failures as plain-text answers; a bug shows its request id, never a stack. */

import { STATUS_CODES } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { respondText } from '../../http/respond.js';
import { HttpError, storageError } from '../../http-error.js';
import type { KernelCode } from '../../native/codes.js';

/** Statuses of the kernel's errors that are no bugs. */
const KERNEL_STATUS: Readonly<Partial<Record<KernelCode, number>>> = {
  ABORTED: 499,
  BUSY: 503,
  DISPOSED: 503,
  INVALID_REQUEST: 400,
  PLACE_NOT_FOUND: 400,
  TOO_LARGE: 413,
};

/** Turns whatever a handler throws into an answer. */
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
  const { code, message, status, expose } = error as {
    code?: string;
    message?: string;
    status?: number;
    expose?: boolean;
  };
  if (expose && status !== undefined) return respondText(ctx, status, `${message}\n`);
  const kernelStatus = KERNEL_STATUS[code as KernelCode];
  if (kernelStatus === undefined) {
    logger.error({ err: error, method: ctx.method, path: ctx.path, requestId: ctx.state.requestId }, 'request failed');
    const storage = storageError(error);
    if (storage) return respondText(ctx, storage.status, storage.text);
    const id = ctx.state.requestId === undefined ? '' : ` (request ${ctx.state.requestId})`;
    return respondText(ctx, 500, `Internal error${id}\n`);
  }
  if (kernelStatus === 503) ctx.set('Retry-After', '1');
  respondText(ctx, kernelStatus, `${message}\n`);
}
