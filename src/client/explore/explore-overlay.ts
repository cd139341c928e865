/** The layers that Explore draws on the map. */

import type { ExpressionSpecification } from 'maplibre-gl';
import { edgeColor } from '../map/edge-color.js';
import { EMPTY_SOURCE } from '../map/features.js';
import { NAME_FONT } from '../map/name-font.js';
import { nameBeside } from '../map/name-side.js';
import type { Overlay } from '../map/overlay.js';
import { chosenMark } from './chosen-mark.js';

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
        id: 'explore-end-names',
        type: 'symbol',
        source: 'explore-stops',
        filter: ['has', 'name'],
        layout: { 'text-field': ['get', 'name'], 'text-font': NAME_FONT, ...nameBeside(0.9), 'text-optional': true },
        paint: { 'text-color': ink, 'text-halo-color': ground, 'text-halo-width': 2 },
      },
      {
        id: 'explore-vehicles',
        type: 'circle',
        source: 'explore-vehicles',
        paint: { 'circle-radius': 8, 'circle-color': COLOR, 'circle-stroke-color': edge, 'circle-stroke-width': 3 },
      },
      ...chosenMark(ground, ink),
    ];
  },
};
