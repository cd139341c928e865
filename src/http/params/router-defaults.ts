/** A router's configured defaults, as members of the routing request. */

import type { RouterConfig } from '../../config/router-config.js';
import { DEFAULTS_WITHOUT_EFFECT } from '../../config/routing-default-keys.js';
import type { PlanRequest } from '../../native/types.js';
import { parseBannedTrips } from './banned-trips.js';
import { listElements, parseRouteSpecs, parseStopIds, parseUnderscoreId } from './entity-lists.js';
import { parseModes } from './modes.js';

/** A router's own defaults; for absent members the engine's built-in defaults apply. */
export type RouterDefaults = Omit<PlanRequest, 'from' | 'to' | 'intermediatePlaces' | 'epochSeconds'>;

/** Fields whose name in the configuration differs from that in the request. */
const RENAMED: Readonly<Record<string, keyof RouterDefaults>> = {
  triangleSafetyFactor: 'triangleSafety',
  triangleSlopeFactor: 'triangleSlope',
  triangleTimeFactor: 'triangleTime',
  wheelchairAccessible: 'wheelchair',
  ignoreRealtimeUpdates: 'ignoreRealtime',
  maxHours: 'maxDuration',
  useRequestedDateTimeInMaxHours: 'maxDurationFromRequestedTime',
  whiteListedRoutes: 'whitelistedRoutes',
  whiteListedAgencies: 'whitelistedAgencies',
  startTransitStopId: 'startTransitStop',
  startTransitTripId: 'startTransitTrip',
};

/** Fields that are written as in a query: a comma list, or a list of its elements. */
const PARSED: Readonly<Record<string, (text: string, field: string) => unknown>> = {
  maxHours: (hours) => Number(hours) * 3600,
  preferredRoutes: parseRouteSpecs,
  unpreferredRoutes: parseRouteSpecs,
  bannedRoutes: parseRouteSpecs,
  whiteListedRoutes: parseRouteSpecs,
  preferredAgencies: listElements,
  unpreferredAgencies: listElements,
  bannedAgencies: listElements,
  whiteListedAgencies: listElements,
  bannedTrips: parseBannedTrips,
  bannedStops: parseStopIds,
  bannedStopsHard: parseStopIds,
  startTransitStopId: parseUnderscoreId,
  startTransitTripId: parseUnderscoreId,
};

const known = new WeakMap<RouterConfig, RouterDefaults>();

/** The defaults of a router, computed once per configuration. */
export function routerDefaults(config: RouterConfig): RouterDefaults {
  let defaults = known.get(config);
  if (!defaults) {
    defaults = readDefaults(config);
    known.set(config, defaults);
  }
  return defaults;
}

function readDefaults(config: RouterConfig): RouterDefaults {
  const defaults: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(config.routingDefaults)) {
    if (DEFAULTS_WITHOUT_EFFECT.has(field)) continue;
    if (field === 'modes') Object.assign(defaults, parseModes([value].flat().map(String), field));
    else if (field === 'pathComparator') defaults.sortByDuration = value === 'duration';
    else defaults[RENAMED[field] ?? field] = PARSED[field]?.(String(value), field) ?? value;
  }
  return {
    ...defaults,
    timeouts: [...config.timeouts],
    boardTimes: config.boardTimes,
    alightTimes: config.alightTimes,
  };
}
