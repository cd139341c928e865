/** Lists of places in bodies. */

import { BadParameter } from './bad-parameter.js';
import { isOnEarth } from './place.js';

/** JSON Schema of a list of [lat, lon] in degrees. */
export const PLACES_SCHEMA = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'array',
    prefixItems: [
      { type: 'number', minimum: -90, maximum: 90 },
      { type: 'number', minimum: -180, maximum: 180 },
    ],
    minItems: 2,
  },
} as const;

/** Reads a list of [lat, lon]. */
export function places(value: unknown, name: string): Float64Array {
  if (!Array.isArray(value)) throw new BadParameter(name, 'is not a list of [lat, lon]');
  return Float64Array.from(
    value.flatMap((place: unknown, i) => {
      const [lat, lon] = Array.isArray(place) ? (place as unknown[]) : [];
      if (typeof lat !== 'number' || typeof lon !== 'number' || !isOnEarth(lat, lon)) {
        throw new BadParameter(name, `place ${i + 1} is not [lat, lon]`);
      }
      return [lat, lon];
    }),
  );
}
