/** The features that Explore draws on the map, and the meaning of clicks on the map. */

import type { FeatureCollection } from 'geojson';
import type { ExpressionSpecification, MapMouseEvent } from 'maplibre-gl';
import { edgeColor } from '../map/edge-color.js';
import { collection, EMPTY_SOURCE, featuresNear, lineFeature, pointFeature } from '../map/features.js';
import type { Overlay } from '../map/overlay.js';
import { change } from '../state/address.js';
import type { Thing } from '../state/codec.js';
import type { Position } from '../state/place.js';

const LAYERS = ['rentals', 'vehicles', 'stops', 'patterns'];
const COLOR: ExpressionSpecification = ['get', 'color'];

/** The line, its stops, what is chosen, and vehicles. */
export const EXPLORE_OVERLAY: Overlay = {
  id: 'explore',
  sources: Object.fromEntries(
    ['explore-shape', 'explore-stops', 'explore-chosen', 'explore-vehicles'].map((id) => [id, EMPTY_SOURCE]),
  ),
  layers(theme) {
    const ground = theme === 'dark' ? '#14191c' : '#ffffff';
    const edge = edgeColor(theme, ground);
    const ink = theme === 'dark' ? '#e8edee' : '#14201f';
    return [
      {
        id: 'explore-shape-edge',
        type: 'line',
        source: 'explore-shape',
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: { 'line-color': edge, 'line-width': 9 },
      },
      {
        id: 'explore-shape',
        type: 'line',
        source: 'explore-shape',
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: { 'line-color': COLOR, 'line-width': 5 },
      },
      {
        id: 'explore-stops',
        type: 'circle',
        source: 'explore-stops',
        paint: { 'circle-radius': 5, 'circle-color': edge, 'circle-stroke-color': COLOR, 'circle-stroke-width': 2.5 },
      },
      {
        id: 'explore-vehicles',
        type: 'circle',
        source: 'explore-vehicles',
        paint: { 'circle-radius': 8, 'circle-color': COLOR, 'circle-stroke-color': edge, 'circle-stroke-width': 3 },
      },
      {
        id: 'explore-chosen',
        type: 'circle',
        source: 'explore-chosen',
        paint: { 'circle-radius': 9, 'circle-color': ground, 'circle-stroke-color': ink, 'circle-stroke-width': 5 },
      },
    ];
  },
};

/** A line through positions. */
export function coloredLine(points: readonly Position[], color: string): FeatureCollection {
  return collection([lineFeature(points, { color })]);
}

/** Points in one colour. */
export function coloredPoints(points: readonly Position[], color = '#000000'): FeatureCollection {
  return collection(points.map((point) => pointFeature(point, { color })));
}

/** Shows what was clicked; a click on nothing changes nothing. */
export function showClicked(event: MapMouseEvent): void {
  const thing = thingAt(event);
  if (thing) change({ thing, pattern: '' });
}

/** The thing at a point of the map: small features come before lines. */
export function thingAt(event: MapMouseEvent): Thing | undefined {
  const found = featuresNear(event, LAYERS);
  const first = (layer: string) => found.find((feature) => feature.layer.id === layer)?.properties.id;
  const vehicle = first('vehicles');
  if (vehicle !== undefined) return { kind: 'vehicle', id: String(vehicle) };
  const rental = first('rentals');
  if (rental !== undefined) return { kind: 'rental', id: String(rental) };
  const stop = first('stops');
  if (stop !== undefined) return { kind: 'stop', id: String(stop) };
  const lines = found.filter(({ layer }) => layer.id === 'patterns').map(({ properties }) => String(properties.route));
  const ids = [...new Set(lines)];
  if (ids.length === 0) return undefined;
  return ids.length === 1 ? { kind: 'line', id: ids[0] ?? '' } : { kind: 'lines', id: ids.join(',') };
}
