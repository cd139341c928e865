/** The place that a user points at on the map. */

import type { MapGeoJSONFeature, Map as MapLibreMap } from 'maplibre-gl';
import type { Place } from '../state/place.js';
import { featuresNear } from './features.js';

/** How near a street has to be to give its name to a point, in pixels. */
const NEAR_STREET = 24;

/** The place at a pixel: a stop that is there, or else the point, with the name of the street beside it. */
export function placeAt(map: MapLibreMap, x: number, y: number): Place {
  const stop = named(map, x, y, 'stops');
  if (stop?.geometry.type === 'Point') {
    const [lon = 0, lat = 0] = stop.geometry.coordinates;
    return { lat, lon, name: String(stop.properties.name) };
  }
  const { lat, lng } = map.unproject([x, y]);
  const street = named(map, x, y, 'streets', NEAR_STREET);
  return street ? { lat, lon: lng, name: String(street.properties.name) } : { lat, lon: lng };
}

function named(map: MapLibreMap, x: number, y: number, layer: string, reach?: number): MapGeoJSONFeature | undefined {
  return featuresNear({ target: map, point: { x, y } }, [layer], reach).find(
    ({ properties }) => properties.name !== undefined,
  );
}
