/** Transparent tiles of the server above the background: inspector layers and surfaces. */

import L from 'leaflet';

/** At most one set of tiles at a time. */
export class TileOverlay {
  private tiles: L.TileLayer | undefined;

  constructor(private readonly map: L.Map) {}

  /** Replaces the tiles by those of an address template; `undefined` removes them. */
  show(template: string | undefined, opacity = 1): void {
    this.tiles?.remove();
    this.tiles = undefined;
    if (template !== undefined) {
      this.tiles = L.tileLayer(template, { opacity, maxZoom: 20, keepBuffer: 1 }).addTo(this.map);
    }
  }
}
