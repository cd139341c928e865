/** An image that is painted in the page and shown on the map. */

import './picture.css';
import type { MapView } from './map-view.js';

/** Where a picture is on the map. */
export type Corners = readonly [northWest: LonLat, southEast: LonLat];
type LonLat = readonly [lon: number, lat: number];

/**
 * A canvas over the map and under its marks. It is not a layer of the map, because the map would draw all of its layers
 * again for each new image, which is too slow to follow a mouse without a graphics card.
 */
export class Picture {
  /** The canvas to paint on; `show` says where it is. */
  readonly canvas = document.createElement('canvas');
  #corners: Corners | undefined;
  #view: MapView | undefined;

  constructor() {
    this.canvas.className = 'map-picture';
  }

  /** Adds it to a map. Returns a function that removes it. */
  addTo(view: MapView): () => void {
    this.#view = view;
    view.map.getCanvas().after(this.canvas);
    const subscription = view.map.on('render', () => this.#place());
    this.#place();
    return () => {
      subscription.unsubscribe();
      this.canvas.remove();
      this.#view = undefined;
    };
  }

  /** Shows what was painted, between its north-west and its south-east corner. */
  show(corners: Corners): void {
    this.#corners = corners;
    this.#place();
  }

  /** Hides it. */
  clear(): void {
    this.#corners = undefined;
    this.#place();
  }

  /** The map is never rotated or tilted, so the image stays parallel to the screen. */
  #place(): void {
    this.canvas.hidden = !this.#corners;
    if (!this.#corners || !this.#view) return;
    const [northWest, southEast] = this.#corners.map(([lon, lat]) => this.#view?.map.project([lon, lat]));
    if (!northWest || !southEast) return;
    const across = (southEast.x - northWest.x) / this.canvas.width;
    const down = (southEast.y - northWest.y) / this.canvas.height;
    this.canvas.style.transform = `translate(${northWest.x}px, ${northWest.y}px) scale(${across}, ${down})`;
  }
}
