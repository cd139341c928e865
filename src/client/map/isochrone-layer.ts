/** Isochrones: the larger below the smaller. */

import L from 'leaflet';
import type { Isochrones } from '../api/answers.js';

/** From near to far. */
const SHADES = ['#00441b', '#1b7837', '#5aae61', '#a6dba0', '#d9a6d8', '#9970ab', '#762a83'];

/** The colour of the cutoff at `index` of `count`, the nearest first. */
export function isochroneColor(index: number, count: number): string {
  const position = count < 2 ? 0 : Math.round((index * (SHADES.length - 1)) / (count - 1));
  return SHADES[position] ?? '#1b7837';
}

/** Draws one answer at a time. */
export class IsochroneLayer {
  private readonly group = L.featureGroup();

  constructor(private readonly map: L.Map) {
    this.group.addTo(map);
  }

  clear(): void {
    this.group.clearLayers();
  }

  show({ features }: Isochrones): void {
    this.clear();
    const nearFirst = [...features].sort((a, b) => a.properties.time - b.properties.time);
    for (const [index, feature] of [...nearFirst.entries()].reverse()) {
      const color = isochroneColor(index, nearFirst.length);
      L.geoJSON(feature, {
        interactive: false,
        style: { color, weight: 1.5, fillColor: color, fillOpacity: 0.3, interactive: false },
      }).addTo(this.group);
    }
    const bounds = this.group.getBounds();
    if (bounds.isValid()) this.map.fitBounds(bounds, { padding: [20, 20] });
  }
}
