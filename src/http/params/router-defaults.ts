/** A router's configured defaults, as members of the routing request. */

import type { RouterConfig } from '../../config/router-config.js';
import type { PlanRequest } from '../../native/types.js';
import { parseUnderscoreId } from './entity-lists.js';
import { parseModes } from './modes.js';
import { REQUEST_MEMBERS, type RequestMember } from './request-members.js';

/** A router's own defaults; for absent members the engine's built-in defaults apply. */
export type RouterDefaults = Omit<PlanRequest, 'from' | 'to' | 'intermediatePlaces' | 'epochSeconds'>;

/** Those that a query sets in the same way, and others. The rest have the names of their members. */
const MEMBERS: Readonly<Record<string, Pick<RequestMember, 'member' | 'read'>>> = {
  ...REQUEST_MEMBERS,
  wheelchairAccessible: { member: 'wheelchair' },
  triangleSafetyFactor: { member: 'triangleSafety' },
  triangleSlopeFactor: { member: 'triangleSlope' },
  triangleTimeFactor: { member: 'triangleTime' },
  startTransitTripId: { member: 'startTransitTrip', read: parseUnderscoreId },
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
    if (field === 'modes') Object.assign(defaults, parseModes([value].flat().map(String), field));
    else {
      const { member = field, read } = MEMBERS[field] ?? {};
      defaults[member] = read === undefined ? value : read(String(value), field);
    }
  }
  return {
    ...defaults,
    timeouts: [...config.timeouts],
    boardTimes: config.boardTimes,
    alightTimes: config.alightTimes,
  };
}
