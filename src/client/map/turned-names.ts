/**
 * Names of stops in the server's style that are drawn on the left of their stops, because the edge would cut them off.
 */

import type { LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { type NamedMap, sideOf } from './name-side.js';

const NAMES = 'stop-names';
/** Size of the names in the style, pixels. */
const SIZE = 12;

/** Ids of the stops in sight whose names are cut off less at the left. */
export function namesToTurn(view: NamedMap & { readonly map: MapLibreMap }): string[] {
  const { map } = view;
  const names = map.getLayer(NAMES);
  if (names === undefined || map.getZoom() < names.minzoom || !map.getLayer('stops')) return [];
  const cutOff = map
    .queryRenderedFeatures({ layers: ['stops'] })
    .filter((stop) => sideOf(stop, view, [], SIZE) === 'left')
    .map(({ properties }) => String(properties.id));
  return [...new Set(cutOff)].sort();
}

/** A layer of the style with the names of these stops at their left. */
export function withNamesTurned(layer: LayerSpecification, stops: readonly string[]): LayerSpecification {
  if (layer.id !== NAMES || layer.type !== 'symbol') return layer;
  const isTurned = ['in', ['get', 'id'], ['literal', [...stops]]] as ['in', ['get', string], ['literal', string[]]];
  return { ...layer, layout: { ...layer.layout, 'text-anchor': ['case', isTurned, 'right', 'left'] } };
}
