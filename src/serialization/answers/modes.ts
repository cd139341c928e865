/** Modes in answers. */

import { TRANSIT_MODES } from '../../native/modes.js';
import { oneOf, type Static } from './schema.js';

/** The mode of a route's vehicles; those of route types 1600 to 1699 are cars. */
export const RouteMode = oneOf([...TRANSIT_MODES, 'CAR']);
export type RouteMode = Static<typeof RouteMode>;

/** How one travels on a leg, or what one does between legs. */
export const LegMode = oneOf(['WALK', 'BICYCLE', 'CAR', ...TRANSIT_MODES, 'LEG_SWITCH']);
export type LegMode = Static<typeof LegMode>;
