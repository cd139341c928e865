/** Entity tags, with which clients check whether their copy is still valid. */

import etag from '@koa/etag';
import type { Middleware } from 'koa';

const DONE = async () => {};

/**
 * Tags every successful answer unless its handler set `untagged` in the state: such answers depend on the time of the
 * request, so hashing them would cost time and the tags would never match. The tags are weak, because an answer has the
 * same one whether or not it is compressed afterwards.
 */
export function entityTags(): Middleware {
  const tag = etag({ weak: true });
  return async (ctx, next) => {
    await next();
    if (ctx.state.untagged !== true) await tag(ctx as never, DONE);
  };
}
