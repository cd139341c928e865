/** POST /routers/{routerId}/matrix: travel times from many places to many places. */

import { text as readBody } from 'node:stream/consumers';
import type { Context } from 'koa';
import { originSlices } from '../analysis/matrix.js';
import { graphInfo } from '../native/graph-info.js';
import type { Graph, PlanRequest } from '../native/types.js';
import type { Router } from '../registry/router.js';
import type { AppDeps } from '../server/deps.js';
import { clientGone } from './client-gone.js';
import { HttpError } from './errors.js';
import { BadParameter } from './params/bad-parameter.js';
import { ROUTING_PARAMETERS } from './params/descriptions.js';
import { Query } from './params/query.js';
import { routerDefaults } from './params/router-defaults.js';
import { routingRequest } from './params/routing-request.js';
import { respondJson } from './respond.js';
import type { Route } from './route.js';

/** The row of the route table. */
export const matrixRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/routers/:routerId/matrix',
    handler: matrix,
    summary: 'Seconds from every origin to every destination: `{"origins":[[lat,lon],…],"destinations":[[lat,lon],…]}`',
    tag: 'Analysis',
    produces: ['application/json'],
    consumes: ['application/json'],
    cost: 'search',
    query: [
      { name: 'maxTimeSec', schema: { type: 'integer', default: 7200 }, description: 'Longest time, seconds' },
      ...ROUTING_PARAMETERS,
    ],
  },
];

/** Most times of one answer; larger matrices are for the command line. */
const MAX_TIMES = 4_000_000;

async function matrix(ctx: Context, { registry, config }: AppDeps): Promise<void> {
  const query = new Query(ctx.querystring);
  const { origins, destinations } = readPlaces(await limitedBody(ctx, config.maxBodyBytes));
  if (origins.length * destinations.length > 4 * MAX_TIMES) {
    throw new HttpError(413, `more than ${MAX_TIMES} times in one answer\n`);
  }
  const maxSeconds = query.integer('maxTimeSec') ?? 7200;
  const rows = await registry.use(ctx.params.routerId, async (router) => {
    const request = matrixRequest(query, router);
    const found: Array<Array<number | null>> = [];
    for (const slice of originSlices(origins, destinations.length / 2)) {
      const options = { origins: slice, destinations, maxSeconds };
      const times = await router.graph.matrix(request, options, { signal: clientGone(ctx) });
      const width = destinations.length / 2;
      for (let at = 0; at < slice.length / 2; at += 1) {
        found.push(Array.from(times.subarray(at * width, (at + 1) * width), (s) => (s === UNREACHED ? null : s)));
      }
    }
    return found;
  });
  respondJson(ctx, { seconds: rows });
}

const UNREACHED = 2 ** 31 - 1;

function matrixRequest(query: Query, router: Router<Graph>): PlanRequest {
  const { timeZone } = graphInfo(router.graph);
  return routingRequest(query, { timeZone, nowMs: Date.now(), defaults: routerDefaults(router.config) });
}

async function limitedBody(ctx: Context, maxBytes: number): Promise<string> {
  const length = Number(ctx.get('Content-Length'));
  if (!(length <= maxBytes))
    throw new HttpError(413, `a body of known length, at most ${maxBytes} bytes, is required\n`);
  return readBody(ctx.req);
}

function readPlaces(text: string): { origins: Float64Array; destinations: Float64Array } {
  let body: { origins?: unknown; destinations?: unknown };
  try {
    body = JSON.parse(text) as typeof body;
  } catch {
    throw new HttpError(400, 'the body is no JSON\n');
  }
  return { origins: places(body?.origins, 'origins'), destinations: places(body?.destinations, 'destinations') };
}

function places(value: unknown, name: string): Float64Array {
  if (!Array.isArray(value)) throw new BadParameter(name, 'is no list of [lat, lon]');
  return Float64Array.from(
    value.flatMap((place: unknown, i) => {
      const [lat, lon] = Array.isArray(place) ? (place as unknown[]) : [];
      if (typeof lat !== 'number' || typeof lon !== 'number' || !(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) {
        throw new BadParameter(name, `place ${i + 1} is no [lat, lon]`);
      }
      return [lat, lon];
    }),
  );
}
