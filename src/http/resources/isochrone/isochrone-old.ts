/** GET /routers/{routerId}/isochroneOld: the vertices, the outline or the streets reached within one time. */

import type { Context } from 'koa';
import { HttpError } from '../../../http-error.js';
import { walkshedGeometry } from '../../../serialization/geo-json.js';
import { respondLargeJson } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { ROUTING } from '../../params/descriptions.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
import { searchOptions } from '../../request/searches.js';
import { useRouter } from '../../request/use-router.js';
import type { Route } from '../../route.js';
import { departingRequest } from '../analysis-request.js';

const PARAMETERS = {
  ...ROUTING,
  ...parameters({
    walkTime: parameter.decimal('Minutes, with the walk to the street and all waiting', { default: 15 }),
    output: parameter.choice(
      ['POINTS', 'SHED', 'EDGES'],
      '`POINTS` vertices, `SHED` a concave outline, `EDGES` streets cut where the time ends',
      { default: 'POINTS' },
    ),
  }),
};

export const isochroneOldRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/isochroneOld',
    handler: isochroneOld,
    summary: 'What is reached within a time as one geometry: vertices, outline or streets',
    answer: 'Walkshed',
    tag: 'Analysis',
    cost: 'search',
    query: PARAMETERS,
  },
];

/** A place that is two numbers and nothing else. */
const TWO_NUMBERS = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)\s*,\s*[+-]?(\d+(\.\d*)?|\.\d+)\s*$/;
const NO_NUMBERS = 'Could not parse position string to number. Require numerical lat & long coords.';

async function isochroneOld(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  if (!TWO_NUMBERS.test(query.given(ROUTING.fromPlace) ?? '')) throw new HttpError(400, NO_NUMBERS);
  const form = query.value(PARAMETERS.output);
  const seconds = query.value(PARAMETERS.walkTime) * 60;
  const found = await useRouter(deps, ctx.params.routerId, query, (router) =>
    router.graph.walkshed(departingRequest(query, router), { seconds, form }, searchOptions(ctx)),
  );
  await respondLargeJson(ctx, walkshedGeometry(form, found));
}
