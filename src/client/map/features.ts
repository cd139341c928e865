/** Features that panels draw on the map, and those that are under the pointer. */

import type { Feature, FeatureCollection } from 'geojson';
import type { MapGeoJSONFeature, Map as MapLibreMap, PointLike } from 'maplibre-gl';
import type { Position } from '../state/place.js';

export const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] };

/** A source of an overlay that is filled later. */
export const EMPTY_SOURCE = { type: 'geojson', data: NOTHING } as const;

export function collection(features: Feature[]): FeatureCollection {
  return { type: 'FeatureCollection', features };
}

export function pointFeature({ lat, lon }: Position, properties: Record<string, string> = {}): Feature {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lon, lat] } };
}

/**
 * A line through positions. Between two of them it takes the shorter way: across the 180th meridian, longitudes
 * continue beyond 180, because the map would draw the line around the whole Earth.
 */
export function lineFeature(positions: readonly Position[], properties: Record<string, string> = {}): Feature {
  let turns = 0;
  const coordinates = positions.map(({ lon, lat }, i) => {
    const step = lon - (positions[i - 1]?.lon ?? lon);
    if (Math.abs(step) > 180) turns -= Math.sign(step);
    return [lon + 360 * turns, lat];
  });
  return { type: 'Feature', properties, geometry: { type: 'LineString', coordinates } };
}

/** Pixels around a click that belong to it; fingers are wide. */
const REACH_PX = 10;

/** The features of some layers near a pixel of the map. */
export function featuresNear(
  { target, point }: { target: MapLibreMap; point: { x: number; y: number } },
  layers: string[],
  reach = REACH_PX,
): MapGeoJSONFeature[] {
  const { x, y } = point;
  const box: [PointLike, PointLike] = [
    [x - reach, y - reach],
    [x + reach, y + reach],
  ];
  return target.queryRenderedFeatures(box, { layers: layers.filter((id) => target.getLayer(id)) });
}
