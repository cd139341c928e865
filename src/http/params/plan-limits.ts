import { TRANSIT_MODES } from '../../native/modes.js';
import type { PlanRequest } from '../../native/types.js';

const TRANSIT: ReadonlySet<string> = new Set(['TRANSIT', ...TRANSIT_MODES]);

/** Metres walked or cycled before and after transit when neither the request nor the router sets a limit. */
const DEFAULT_MAX_WALK_M = 2000;
const LARGEST_MAX_WALK_M = 15_000;
const MAX_TRANSFERS = 4;
/**
 * The limit when no trip has so few transfers: a trip across a region with many feeds may take six or more vehicles.
 */
const MAX_TRANSFERS_IF_NO_PATH = 8;

/** Rules of `plan` only: with transit there is always a walking limit, and a fixed number of transfers. */
export function withPlanLimits(request: PlanRequest): PlanRequest {
  const { modes, maxWalkDistance } = request;
  const usesTransit = modes?.some((mode) => TRANSIT.has(mode)) ?? true;
  return {
    ...request,
    // Trips on streets alone have no limit: the one of the request only marks those that are longer.
    maxWalkDistance: usesTransit
      ? Math.min(maxWalkDistance ?? DEFAULT_MAX_WALK_M, LARGEST_MAX_WALK_M)
      : maxWalkDistance,
    maxTransfers: MAX_TRANSFERS,
    maxTransfersIfNoPath: MAX_TRANSFERS_IF_NO_PATH,
  };
}
