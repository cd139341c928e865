/** Members of plans that lead into the index; all others are read from the plan. */

import { type NamedKind, namedEntity } from './plan-entities.js';
import type { Resolver, Resolvers } from './resolvers.js';

const entity =
  (kind: NamedKind): Resolver =>
  (part: Readonly<Record<string, unknown>>) =>
    namedEntity(kind, part);

/** Resolvers of plan types. */
export const PLAN_RESOLVERS: Readonly<Record<string, Resolvers>> = {
  Leg: { route: entity('routes'), trip: entity('trips') },
  Place: { stop: entity('stops') },
};
