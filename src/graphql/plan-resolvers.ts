/** Members of plans that lead into the index; all others are read as they are. */

import { EntityId } from '../serialization/entity-id.js';
import type { Resolver, Resolvers } from './resolvers.js';
import type { Root } from './root.js';
import type { Kind } from './session.js';

/** The entity whose id is a member of the source. */
function entity(kind: Kind, member: string): Resolver {
  return (source: Readonly<Record<string, unknown>>, _args: unknown, { session }: Root) => {
    const id = source[member];
    if (!(id instanceof EntityId)) return null;
    const [index = -1] = session.graph.find(kind, [id.toJSON()]);
    return index < 0 ? null : session.one(kind, index);
  };
}

/** Resolvers of plan types. */
export const PLAN_RESOLVERS: Readonly<Record<string, Resolvers>> = {
  Leg: { route: entity('routes', 'routeId'), trip: entity('trips', 'tripId') },
  Place: { stop: entity('stops', 'stopId') },
};
