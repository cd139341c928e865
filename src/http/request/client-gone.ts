import type { Context } from 'koa';

/** A signal that fires when the client leaves before its answer is complete, so that the search can stop. */
export function clientGone(ctx: Context): AbortSignal {
  ctx.state.clientGone ??= leavingOf(ctx);
  return ctx.state.clientGone;
}

function leavingOf(ctx: Context): AbortSignal {
  const controller = new AbortController();
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) controller.abort();
  });
  return controller.signal;
}
