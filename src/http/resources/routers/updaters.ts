/** GET updaters: the updaters of a router. Texts and statuses are part of the interface. */

import type { Context } from 'koa';
import { HttpError } from '../../../http-error.js';
import { quoted } from '../../../quoted.js';
import type { Updater } from '../../../updaters/updater.js';
import { refuseUnquoted, respondJson } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { routesWith } from '../../route.js';

const NONE = 'No updaters running.';

export const updaterRoutes = routesWith({ tag: 'Updaters' }, [
  {
    method: 'GET',
    path: '/routers/:routerId/updaters',
    handler: listUpdaters,
    summary: 'List the updaters of a router',
    answer: 'UpdaterList',
    jsonRefusals: 'unquoted text',
  },
  {
    method: 'GET',
    path: '/routers/:routerId/updaters/status',
    handler: updaterStatus,
    summary: 'Show when each updater last succeeded or failed, and what data it has',
    answer: 'UpdaterStatuses',
  },
  {
    method: 'GET',
    path: '/routers/:routerId/updaters/:number',
    handler: describeUpdater,
    summary: 'Name the class of one updater',
    answer: 'UpdaterClass',
    jsonRefusals: 'unquoted text',
  },
  {
    method: 'GET',
    path: '/routers/:routerId/vehicles',
    handler: listVehicles,
    summary: 'List the vehicles of feeds with vehicle positions',
    answer: 'Vehicles',
  },
]);

async function listUpdaters(ctx: Context, deps: HandlerDeps): Promise<void> {
  const updaters = await runningUpdaters(ctx, deps);
  if (updaters.length === 0) return refuseUnquoted(ctx, NONE);
  respondJson(ctx, Object.fromEntries(updaters.map(({ description }, i) => [String(i), description])));
}

async function describeUpdater(ctx: Context, deps: HandlerDeps): Promise<void> {
  const updaters = await runningUpdaters(ctx, deps);
  const number = String(ctx.params.number);
  if (!/^\d{1,9}$/.test(number)) throw new HttpError(404, `${quoted(number)} is not the number of an updater\n`);
  if (updaters.length === 0) return refuseUnquoted(ctx, NONE);
  const updater = updaters[Number(number)];
  if (updater === undefined) return refuseUnquoted(ctx, 'No updater with that ID.');
  respondJson(ctx, updater.className);
}

async function updaterStatus(ctx: Context, deps: HandlerDeps): Promise<void> {
  const updaters = await runningUpdaters(ctx, deps);
  respondJson(ctx, { updaters: updaters.map(({ type, description, status }) => ({ type, description, ...status })) });
}

async function listVehicles(ctx: Context, { registry, live }: HandlerDeps): Promise<void> {
  const vehicles = await registry.use(ctx.params.routerId, (router) => live.of(router)?.vehicles() ?? []);
  respondJson(ctx, { vehicles });
}

function runningUpdaters(ctx: Context, { registry, live }: HandlerDeps): Promise<readonly Updater[]> {
  return registry.use(ctx.params.routerId, (router) => live.of(router)?.updaters ?? []);
}
