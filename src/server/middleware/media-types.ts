/** The media types that a route accepts and returns: 415 and 406 before its handler runs. */

import type { Middleware } from 'koa';
import { chooseMediaType } from '../../http/answers/negotiation.js';
import { offersOf, type Route } from '../../http/route.js';
import { HttpError } from '../../http-error.js';

/** Leaves the negotiated type in `ctx.state.mediaType`. */
export function mediaTypes(route: Route): Middleware {
  const { consumes } = route;
  const offers = offersOf(route);
  return (ctx, next) => {
    if (offers) {
      ctx.vary('Accept');
      const chosen = chooseMediaType(ctx.get('Accept'), offers);
      if (chosen === undefined) throw new HttpError(406, `Not Acceptable; available: ${offers.join(', ')}\n`);
      ctx.state.mediaType = chosen;
    }
    if (consumes) {
      const sent = ctx.request.type.toLowerCase();
      if (!consumes.includes(sent === '' ? (consumes[0] ?? '') : sent)) {
        throw new HttpError(415, `Unsupported Media Type; accepted: ${consumes.join(', ')}\n`);
      }
    }
    return next();
  };
}
