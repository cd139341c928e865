/** The two older isochrone generators of the interface. They are not made yet: both say so and where to turn instead. */

import type { Context } from 'koa';
import type { AppDeps } from '../server/deps.js';
import { HttpError } from './errors.js';
import type { Route } from './route.js';

/** The rows of the route table. */
export const olderIsochroneRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/isochroneOld',
    handler: notAvailable('isochroneOld'),
    summary: 'Older isochrones (not available yet: 501; use isochrone)',
    tag: 'Analysis',
  },
  {
    method: 'GET',
    path: '/routers/:routerId/simpleIsochrone',
    handler: notAvailable('simpleIsochrone'),
    summary: 'Isochrones as circles around stops (not available yet: 501; use isochrone)',
    tag: 'Analysis',
  },
];

function notAvailable(name: string) {
  return async (ctx: Context, { registry }: AppDeps): Promise<void> => {
    await registry.use(ctx.params.routerId, () => {});
    throw new HttpError(501, `${name} is not available in this version; use isochrone\n`);
  };
}
