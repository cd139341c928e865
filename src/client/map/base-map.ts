/**
 * The map: a plain background with the extent of the graph; tiles of a background map only when an address is given.
 */

import L from 'leaflet';
import type { RouterInfo } from '../api/answers.js';

/** Key of the address template in the browser's storage, for example `https://…/{z}/{x}/{y}.png`. */
const TILES_KEY = 'trestle.tiles';

/** The template of the background map: the parameter `tiles` of the page (kept for later; empty forgets it). */
export function backgroundTiles(search: string, storage: Storage): string | undefined {
  const given = new URLSearchParams(search).get('tiles');
  if (given !== null) {
    if (given === '') storage.removeItem(TILES_KEY);
    else storage.setItem(TILES_KEY, given);
  }
  const template = storage.getItem(TILES_KEY) ?? '';
  return /^(https?:\/)?\//.test(template) ? template : undefined;
}

/** The map with the outline of a router. */
export class BaseMap {
  readonly leaflet: L.Map;
  private readonly outline: L.GeoJSON;

  constructor(container: HTMLElement, tiles: string | undefined) {
    this.leaflet = L.map(container, { preferCanvas: true, zoomControl: false, maxZoom: 20 });
    L.control.zoom({ position: 'topright' }).addTo(this.leaflet);
    L.control.scale({ imperial: false }).addTo(this.leaflet);
    this.leaflet.attributionControl.setPrefix('<a href="https://leafletjs.com">Leaflet</a>');
    if (tiles !== undefined) L.tileLayer(tiles, { maxZoom: 20, maxNativeZoom: 19 }).addTo(this.leaflet);
    const style = { color: '#0b6b5f', weight: 1.5, dashArray: '4 4', fillOpacity: 0.03, interactive: false };
    this.outline = L.geoJSON(undefined, { style, interactive: false }).addTo(this.leaflet);
  }

  /** Shows where the router's graph is. */
  showRouter(router: RouterInfo): void {
    this.outline.clearLayers();
    this.outline.addData(router.polygon);
    this.leaflet.fitBounds([
      [router.lowerLeftLatitude, router.lowerLeftLongitude],
      [router.upperRightLatitude, router.upperRightLongitude],
    ]);
  }
}
