/** A router's configured defaults, as members of the routing request. */

import type { RouterConfig } from '../../config/router-config.js';
import type { PlanRequest } from '../../native/types.js';
import { PLAN } from './descriptions.js';
import { parseUnderscoreId } from './entity-lists.js';
import { parseModes } from './modes.js';
import type { ParameterSchema } from './parameter-schema.js';
import { type RequestMember, to } from './request-members.js';

/** A router's own defaults; for absent members the engine's built-in defaults apply. */
export type RouterDefaults = Omit<PlanRequest, 'from' | 'to' | 'intermediatePlaces' | 'epochSeconds'>;

/** Those that no parameter sets in the same way. The others have the names of their parameters or members. */
const OWN: Readonly<Record<string, RequestMember>> = {
  wheelchairAccessible: to('wheelchair'),
  triangleSafetyFactor: to('triangleSafety'),
  triangleSlopeFactor: to('triangleSlope'),
  triangleTimeFactor: to('triangleTime'),
  startTransitTripId: to('startTransitTrip', parseUnderscoreId),
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
  const parameters: Readonly<Record<string, ParameterSchema>> = PLAN;
  for (const [field, value] of Object.entries(config.routingDefaults)) {
    if (field === 'modes') Object.assign(defaults, parseModes([value].flat().map(String), field));
    else {
      const { member = field, read } = parameters[field]?.sets ?? OWN[field] ?? {};
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
