/** Entity tags, by which clients ask whether what they keep is still the same. */

import etag from '@koa/etag';
import type { Middleware } from 'koa';

const DONE = async () => {};

/**
 * Tags every good answer but those whose handler set `untagged` in the state: they depend on the moment they were asked
 * for, and a tag would cost a hash of them without ever matching.
 */
export function entityTags(): Middleware {
  const tag = etag();
  return async (ctx, next) => {
    await next();
    if (ctx.state.untagged !== true) await tag(ctx as never, DONE);
  };
}
