/** The mark of what was chosen on the map. */

import type { LayerSpecification } from 'maplibre-gl';
import { NAME_FONT } from '../map/name-font.js';
import { nameBeside } from '../map/name-side.js';

/** The mark, which covers the beginning of the name that the style shows, and the same name beside it. */
export function chosenMark(ground: string, ink: string): LayerSpecification[] {
  return [
    {
      id: 'explore-chosen',
      type: 'circle',
      source: 'explore-chosen',
      paint: { 'circle-radius': 9, 'circle-color': ground, 'circle-stroke-color': ink, 'circle-stroke-width': 5 },
    },
    {
      id: 'explore-chosen-name',
      type: 'symbol',
      source: 'explore-chosen',
      layout: {
        'text-field': ['get', 'name'],
        'text-font': NAME_FONT,
        ...nameBeside(1.3),
      },
      paint: { 'text-color': ink, 'text-halo-color': ground, 'text-halo-width': 2 },
    },
  ];
}
