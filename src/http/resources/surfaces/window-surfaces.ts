/** Surfaces over a window of departures: one search, one surface for each requested statistic. */

import type { StoredSurface } from '../../../analysis/surface-store.js';
import { elementsOf } from '../../../comma-list.js';
import type { PlanRequest, SearchOptions, WindowOptions } from '../../../native/types.js';
import { quoted } from '../../../quoted.js';
import type { Router } from '../../../registry/router.js';
import type { HandlerDeps } from '../../deps.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';

/** The options of a search over a window, and the parameters with which its surfaces are listed. */
interface WindowSearch {
  readonly router: Router;
  readonly request: PlanRequest;
  readonly options: WindowOptions;
  /** Query parameters of the request, the first value of each. */
  readonly params: Readonly<Record<string, string>>;
}

/** Longest window, minutes, and shortest time between departures, seconds. */
export const MOST_MINUTES = 240;
export const LEAST_STEP = 10;
/** Most surfaces of a window. */
const MOST_STATISTICS = 20;

/** Query parameters that turn a search into one over a window. */
export const WINDOW = parameters({
  window: parameter.integer(
    'Minutes of departures (with `arriveBy`, arrivals) from the time on; one surface per percentile',
    { minimum: 1, maximum: MOST_MINUTES },
  ),
  step: parameter.integer('Seconds between the departures of a window', { minimum: LEAST_STEP, default: 60 }),
  percentiles: parameter.text('Surfaces of a window: comma list of 0 to 100, `min`, `avg` and `max`', {
    default: '50',
  }),
});

/** The window of a query; undefined for a search of one departure. */
export function windowOptions(query: Query, cutoffSeconds: number): WindowOptions | undefined {
  const windowMinutes = query.given(WINDOW.window);
  if (windowMinutes === undefined) return undefined;
  const stepSeconds = query.value(WINDOW.step);
  const statistics = elementsOf(query.value(WINDOW.percentiles));
  requireStatistics(statistics);
  return { cutoffSeconds, windowSeconds: windowMinutes * 60, stepSeconds, statistics };
}

/** Throws `BadParameter` unless there are some, and all are percentiles, `min`, `avg` or `max`. */
export function requireStatistics(statistics: readonly string[]): void {
  for (const name of statistics) {
    const known = ['min', 'avg', 'max'].includes(name) || (/^\d{1,3}(\.\d{1,6})?$/.test(name) && Number(name) <= 100);
    if (!known) throw new BadParameter('percentiles', `${quoted(name)} is not a number from 0 to 100, min, avg or max`);
  }
  if (statistics.length === 0 || statistics.length > MOST_STATISTICS) {
    throw new BadParameter('percentiles', `expected 1 to ${MOST_STATISTICS} values`);
  }
}

/** Searches, and keeps a surface for each statistic, in their order. */
export async function storeWindowSurfaces(
  deps: HandlerDeps,
  { router, request, options, params }: WindowSearch,
  search: SearchOptions,
): Promise<StoredSurface[]> {
  const found = await router.graph.windowSurfaces(request, options, search);
  const searched = found.map((times, i) => {
    const percentile = options.statistics[i] ?? '';
    return { params: { ...params, percentile }, router, request, times };
  });
  return deps.surfaces.add(searched);
}
