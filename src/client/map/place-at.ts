/** The place that a user points at on the map. */

import type { MapGeoJSONFeature, Map as MapLibreMap, PointLike } from 'maplibre-gl';
import type { Place } from '../state/place.js';

/** How near a feature has to be to be chosen, in pixels. */
const NEAR_STOP = 10;
const NEAR_STREET = 24;

/** The place at a pixel: a stop that is there, or else the point, with the name of the street beside it. */
export function placeAt(map: MapLibreMap, x: number, y: number): Place {
  const stop = named(map, x, y, NEAR_STOP, 'stops');
  if (stop?.geometry.type === 'Point') {
    const [lon = 0, lat = 0] = stop.geometry.coordinates;
    return { lat, lon, name: String(stop.properties.name) };
  }
  const { lat, lng } = map.unproject([x, y]);
  const street = named(map, x, y, NEAR_STREET, 'streets');
  return street ? { lat, lon: lng, name: String(street.properties.name) } : { lat, lon: lng };
}

function named(map: MapLibreMap, x: number, y: number, near: number, layer: string): MapGeoJSONFeature | undefined {
  if (!map.getLayer(layer)) return undefined;
  const box: [PointLike, PointLike] = [
    [x - near, y - near],
    [x + near, y + near],
  ];
  return map.queryRenderedFeatures(box, { layers: [layer] }).find(({ properties }) => properties.name !== undefined);
}
