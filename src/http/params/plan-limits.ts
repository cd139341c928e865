import type { PlanRequest } from '../../native/types.js';

/** Metres walked or cycled when neither the request nor the router sets a limit. */
const DEFAULT_MAX_WALK_M = 2000;
const LARGEST_MAX_WALK_M = 15_000;
const MAX_TRANSFERS = 4;
/**
 * The limit when no trip has so few transfers: a trip across a region with many feeds may take six or more vehicles.
 */
const MAX_TRANSFERS_IF_NO_PATH = 8;

/** Rules of `plan` only: there is always a walking limit, and a fixed number of transfers. */
export function withPlanLimits(request: PlanRequest): PlanRequest {
  return {
    ...request,
    maxWalkDistance: Math.min(request.maxWalkDistance ?? DEFAULT_MAX_WALK_M, LARGEST_MAX_WALK_M),
    maxTransfers: MAX_TRANSFERS,
    maxTransfersIfNoPath: MAX_TRANSFERS_IF_NO_PATH,
  };
}
