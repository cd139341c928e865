/** Modes in answers. */

import { TRANSIT_MODES } from '../../native/modes.js';
import { oneOf, type Static } from './schema.js';

/** The mode of a route's vehicles. */
export const TransitMode = oneOf(TRANSIT_MODES);
export type TransitMode = Static<typeof TransitMode>;

/** How one travels on a leg, or what one does between legs. */
export const LegMode = oneOf(['WALK', 'BICYCLE', 'CAR', ...TRANSIT_MODES, 'LEG_SWITCH']);
export type LegMode = Static<typeof LegMode>;
