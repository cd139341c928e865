/** The transit modes that the addon knows. */

import type { Mode } from './types.js';

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
