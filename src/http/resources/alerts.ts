/** Alerts that people send to the server, for all its routers. */

import type { Context } from 'koa';
import type { AlertPatch } from '../../native/types.js';
import { PATCH_LIST_ROOT, presentAllPatches, presentPatches } from '../../serialization/alert-patch.js';
import { JSON_OR_XML } from '../answers/negotiation.js';
import { respond, respondLargeJson } from '../answers/respond.js';
import type { HandlerDeps } from '../deps.js';
import { parameter, parameters } from '../params/parameter-schema.js';
import type { Query } from '../params/query.js';
import { readText } from '../request/small-body.js';
import { withSnapshots } from '../request/snapshots.js';
import { routesWith } from '../route.js';

const LOCALE = { locale: parameter.text('Language of the texts', { default: 'en' }) };

const PARAMETERS = parameters({
  agency: parameter.text('Feed id', { default: '' }),
  id: parameter.text('Id of the stop or route within the feed', { default: '' }),
  ...LOCALE,
});

const ALL_PARAMETERS = parameters({
  stop: parameter.text('Only alerts about this stop, `feed:stop`; may be repeated, also with routes and trips'),
  route: parameter.text('Only alerts about this route, `feed:route`'),
  trip: parameter.text('Only alerts about this trip, `feed:trip`'),
  ...LOCALE,
});

export const alertRoutes = routesWith({ tag: 'Alerts' }, [
  {
    method: 'GET',
    path: '/patch/stopPatches',
    handler: (ctx, deps, query) => listPatches(ctx, deps, query, (patch) => patch.stop),
    summary: 'List the alerts of a stop',
    answer: 'AlertPatches',
    produces: JSON_OR_XML,
    query: PARAMETERS,
  },
  {
    method: 'GET',
    path: '/patch/routePatches',
    handler: (ctx, deps, query) => listPatches(ctx, deps, query, (patch) => patch.route),
    summary: 'List the alerts of a route',
    answer: 'AlertPatches',
    produces: JSON_OR_XML,
    query: PARAMETERS,
  },
  {
    method: 'GET',
    path: '/routers/:routerId/alerts',
    handler: listAll,
    summary: 'List the alerts of a router: those of its feeds and those that were sent to the server',
    answer: 'AlertPatches',
    query: ALL_PARAMETERS,
  },
  {
    method: 'POST',
    path: '/patch/patch',
    handler: putPatches,
    summary: 'Add alerts, or replace those of the same id',
    answer: 'PatchOutcome',
    role: 'ROUTERS',
    consumes: JSON_OR_XML,
    body: {
      type: 'object',
      required: ['alertPatches'],
      properties: { alertPatches: { type: 'array', items: { type: 'object', required: ['id'] } } },
    },
    produces: JSON_OR_XML,
  },
]);

function listPatches(
  ctx: Context,
  { alerts }: HandlerDeps,
  query: Query,
  entity: (patch: AlertPatch) => string | undefined,
): void {
  const wanted = `${query.value(PARAMETERS.agency)}:${query.value(PARAMETERS.id)}`;
  const found = alerts.list().filter((patch) => entity(patch) === wanted);
  respond(ctx, PATCH_LIST_ROOT, presentPatches(found, query.value(PARAMETERS.locale)));
}

/** Reads the alerts of one moment, some at a time. */
async function listAll(ctx: Context, { registry }: HandlerDeps, query: Query): Promise<void> {
  const locale = query.value(ALL_PARAMETERS.locale);
  const about = {
    stops: query.all(ALL_PARAMETERS.stop),
    routes: query.all(ALL_PARAMETERS.route),
    trips: query.all(ALL_PARAMETERS.trip),
  };
  await registry.use(ctx.params.routerId, ({ graph }) =>
    withSnapshots((snapshotOf) => respondLargeJson(ctx, presentAllPatches(snapshotOf(graph), locale, about))),
  );
}

/** Mistakes of the sender are reported in an answer with status 200, as clients expect. */
async function putPatches(ctx: Context, { alerts, config }: HandlerDeps): Promise<void> {
  const { readPatchSet, UnusablePatch } = await import('../../alerts/patch-input.js');
  const body = await readText(ctx, config.maxBodyBytes);
  try {
    await alerts.put(readPatchSet(body, ctx.request.type.endsWith('xml')));
  } catch (error) {
    if (!(error instanceof UnusablePatch)) throw error;
    return respond(ctx, PATCH_LIST_ROOT, { status: error.message });
  }
  respond(ctx, PATCH_LIST_ROOT, { status: 'OK' });
}
