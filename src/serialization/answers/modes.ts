/** Modes in answers. */

import { TRANSIT_MODES } from '../../native/modes.js';
import { oneOf, type Static } from './schema.js';

/** What a vehicle of a route is. */
export const TransitMode = oneOf(TRANSIT_MODES);
export type TransitMode = Static<typeof TransitMode>;

/** How one moves on a leg, what one rides, or what is done between legs. */
export const LegMode = oneOf(['WALK', 'BICYCLE', 'CAR', ...TRANSIT_MODES, 'LEG_SWITCH']);
export type LegMode = Static<typeof LegMode>;
