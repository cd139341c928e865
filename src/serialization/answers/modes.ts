/** Modes in answers. */

import type { Mode } from '../../native/types.js';
import { oneOf, type Static } from './schema.js';

/** All transit modes, in the order of their numbers. */
export const TRANSIT_MODES = [
  'TRAM',
  'SUBWAY',
  'RAIL',
  'BUS',
  'FERRY',
  'CABLE_CAR',
  'GONDOLA',
  'FUNICULAR',
  'AIRPLANE',
] as const satisfies readonly Mode[];

/** What a vehicle of a route is. */
export const TransitMode = oneOf(TRANSIT_MODES);
export type TransitMode = Static<typeof TransitMode>;

/** How one moves on a leg, what one rides, or what is done between legs. */
export const LegMode = oneOf(['WALK', 'BICYCLE', 'CAR', ...TRANSIT_MODES, 'LEG_SWITCH']);
export type LegMode = Static<typeof LegMode>;
