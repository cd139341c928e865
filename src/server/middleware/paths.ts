/** What clients do with paths: matrix parameters, an empty router id, and escapes that nobody should send. */

import type { Middleware } from 'koa';
import { HttpError } from '../../http/errors.js';

/** Refuses malformed targets, and those of more than `maxTarget` characters, with 400 and brings the others into the form of the route table. */
export function paths(mount: string, maxTarget: number): Middleware {
  const emptyRouter = new RegExp(`^${mount}/routers//(?=.)`);
  return (ctx, next) => {
    if (ctx.url.length > maxTarget) throw new HttpError(400, 'The request target is too long.\n');
    if (!isWellFormed(ctx.path)) throw new HttpError(400, 'The path is malformed.\n');
    const path = ctx.path.replace(/;[^/]*/g, '').replace(emptyRouter, `${mount}/routers/default/`);
    if (path !== ctx.path) ctx.path = path;
    return next();
  };
}

/** No escapes that do not decode, and none that hide a slash or an end of text. */
function isWellFormed(path: string): boolean {
  if (/%2f|%00/i.test(path)) return false;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
