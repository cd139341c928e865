/**
 * GET /routers/{routerId}/rrtr, a debugging aid: two searches from a place over an hour of departures, with and without
 * an agency, which show how much time its vehicles save on the way to every stop. The answer only says that it was
 * done; the difference is logged, and returned with `detail=true`.
 */

import type { Context } from 'koa';
import { UNREACHED } from '../../../analysis/matrix.js';
import { graphInfo } from '../../../native/graph-info.js';
import { CHUNK } from '../../../native/look-ups.js';
import type { Graph, PlaceRequest, PlanRequest, SearchOptions, Surface, WindowOptions } from '../../../native/types.js';
import type { ReachDifference } from '../../../serialization/answers/index.js';
import { nextTurn } from '../../../turns.js';
import { respondJson } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { SCENARIO } from '../../params/descriptions.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
import { searchOptions } from '../../request/searches.js';
import { useRouter } from '../../request/use-router.js';
import type { Route } from '../../route.js';
import { coordinate, departures } from './profile-request.js';

const PARAMETERS = {
  ...parameters({
    from: parameter.text('`lat,lon`; this or `fromStop` is required'),
    fromStop: parameter.text('`feed:stop`'),
    banAgency: parameter.text('Agency id that the second search leaves out'),
    date: parameter.text('`YYYY-MM-DD`; else a day of the transit data'),
    startTime: parameter.text('First departure, `H[:mm[:ss]]`', { default: '08:00' }),
    endTime: parameter.text('Last departure, `H[:mm[:ss]]`; only checked', { default: '09:00' }),
    detail: parameter.boolean(
      'Answer the difference, in JSON: the `stops` reached, those `slower` (by `secondsLost` on average) and `lost` without the agency',
      { default: false },
    ),
  }),
  ...SCENARIO,
};

export const repeatedRaptorRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/rrtr',
    handler: repeatedRaptor,
    summary: 'How much later stops are reached without the vehicles of an agency; for debugging',
    answer: 'ReachDifference',
    unquotedText: 'without `detail=true`',
    tag: 'Analysis',
    cost: 'long search',
    query: PARAMETERS,
  },
];

const WALK_SPEED = 2;
const SEARCH: WindowOptions = { cutoffSeconds: 5400, windowSeconds: 3600, maxStopSeconds: 1200, statistics: ['avg'] };

async function repeatedRaptor(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const difference = await useRouter(deps, ctx.params.routerId, query, ({ graph }) =>
    compare(graph, query, () => searchOptions(ctx)),
  );
  deps.logger.info({ router: ctx.params.routerId, ...difference }, 'reach with and without an agency');
  if (query.value(PARAMETERS.detail)) return respondJson(ctx, difference);
  ctx.set('Content-Type', 'application/json');
  ctx.body = 'OK\n';
}

async function compare(graph: Graph, query: Query, search: () => SearchOptions): Promise<ReachDifference> {
  const request: PlanRequest = {
    from: origin(query),
    to: {},
    epochSeconds: eightOClock(graph, query),
    walkSpeed: WALK_SPEED,
    ignoreRealtime: true,
  };
  const agency = query.given(PARAMETERS.banAgency);
  const bannedAgencies = agency === undefined ? [] : [agency];
  const made: Surface[] = [];
  const surfaceOf = async (searched: PlanRequest): Promise<Surface> => {
    const [surface] = await graph.windowSurfaces(searched, SEARCH, search());
    if (surface === undefined) throw new Error('a search over a window has one surface for each statistic');
    made.push(surface);
    return surface;
  };
  try {
    const all = await surfaceOf(request);
    const without = await surfaceOf({ ...request, bannedAgencies });
    const points = await all.linkPoints(await stopPositions(graph));
    return differenceOf(await all.timesTo(points, WALK_SPEED), await without.timesTo(points, WALK_SPEED));
  } finally {
    for (const surface of made) surface.dispose();
  }
}

/** Latitude and longitude of each listed stop, read in parts, because there may be tens of thousands. */
async function stopPositions(graph: Graph): Promise<Float64Array> {
  const stops = graph.list('stops');
  const positions = new Float64Array(2 * stops.length);
  for (let at = 0; at < stops.length; at += CHUNK) {
    await nextTurn();
    const read = graph.stopsSync(stops.subarray(at, at + CHUNK));
    positions.set(
      read.flatMap(({ lat, lon }) => [lat, lon]),
      2 * at,
    );
  }
  return positions;
}

function differenceOf(all: Int32Array, without: Int32Array): ReachDifference {
  let [stops, slower, lost, sum] = [0, 0, 0, 0];
  all.forEach((seconds, i) => {
    if (seconds === UNREACHED) return;
    const other = without[i] ?? UNREACHED;
    stops += 1;
    if (other === UNREACHED) lost += 1;
    else if (other > seconds) {
      slower += 1;
      sum += other - seconds;
    }
  });
  return { stops, slower, lost, secondsLost: slower === 0 ? 0 : Math.round(sum / slower) };
}

function origin(query: Query): PlaceRequest {
  const place = coordinate(query, PARAMETERS.from);
  if (place !== undefined) return place;
  const stop = query.given(PARAMETERS.fromStop);
  if (stop === undefined) throw new BadParameter('from', '`lat,lon`, or a stop as `fromStop`, is required');
  if (!stop.includes(':')) throw new BadParameter('fromStop', 'is not `feed:stop`');
  return { label: stop };
}

/**
 * Eight o'clock on the given date; without a date, today or, if there is no service, in the middle of the service
 * period.
 */
function eightOClock(graph: Graph, query: Query): number {
  const { transitServiceStarts: starts = 0, transitServiceEnds: ends = 0 } = graphInfo(graph);
  const now = Date.now();
  const inPeriod = now / 1000 >= starts && now / 1000 < ends;
  const given = inPeriod || query.given(PARAMETERS.date) !== undefined ? now : ((starts + ends) / 2) * 1000;
  return departures(query, graph, given, { startTime: '08:00', endTime: '09:00' }).fromEpoch;
}
