/** Where a place of a point set is, as one point. */

import { areaCentre } from '../../area-centre.js';
import type { PointSet } from '../../serialization/answers/index.js';

/**
 * Latitude and longitude of a place: its point, or the centre of its area. The server knows the holes of areas too, but
 * sends only their outlines.
 */
export function centreOf({ geometry }: PointSet['features'][number]): [lat: number, lon: number] {
  const [lon, lat] = geometry.type === 'Point' ? geometry.coordinates : areaCentre(geometry.coordinates);
  return [lat, lon];
}
