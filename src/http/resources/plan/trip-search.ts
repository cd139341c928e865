/** Searching the trips of a plan request: with more transfers where there is no trip with few. */

import { TRANSIT_MODES } from '../../../native/modes.js';
import type { Graph, PlanOutcome, PlanRequest, SearchOptions } from '../../../native/types.js';

/** Transfers of a trip where there is none with the number that plans of the interface are limited to. */
const MORE_TRANSFERS = 8;

/** Plans a request within the limits of plans. Across a region with many feeds a trip may take six or more vehicles. */
export async function searchTrips(
  graph: Pick<Graph, 'plan'>,
  request: PlanRequest,
  options?: SearchOptions,
): Promise<PlanOutcome> {
  const began = performance.now();
  const outcome = await graph.plan(request, options);
  if (outcome.error?.code !== 'PATH_NOT_FOUND' || !usesTransit(request)) return outcome;
  const more = await graph.plan({ ...request, maxTransfers: MORE_TRANSFERS }, withTimeLeft(options, began));
  return more.plan ? more : outcome;
}

/** Both searches of a request share its time. */
function withTimeLeft(options: SearchOptions | undefined, began: number): SearchOptions | undefined {
  if (options?.deadline === undefined) return options;
  return { ...options, deadline: Math.max(0.001, options.deadline - (performance.now() - began) / 1000) };
}

function usesTransit({ modes }: PlanRequest): boolean {
  return modes === undefined || modes.some((mode) => mode === 'TRANSIT' || TRANSIT_MODES.some((one) => one === mode));
}
