/** A picture that is painted in the page and lies on the map. */

import './picture.css';
import type { MapView } from './map-view.js';

type Corners = readonly [northWest: LonLat, southEast: LonLat];
type LonLat = readonly [lon: number, lat: number];

/**
 * A canvas over the map and under its marks. It is not a layer of the map, because the map would draw all of its layers
 * again for each new picture: too slow to follow a mouse where no graphics card helps.
 */
export class Picture {
  /** To paint on; `show` says where it lies. */
  readonly canvas = document.createElement('canvas');
  #corners: Corners | undefined;
  #view: MapView | undefined;

  constructor() {
    this.canvas.className = 'map-picture';
  }

  /** Adds it to a map. Returns what removes it. */
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

  /** Shows what has been painted, between its north-west and its south-east corner. */
  show(corners: Corners): void {
    this.#corners = corners;
    this.#place();
  }

  /** Takes it from sight. */
  clear(): void {
    this.#corners = undefined;
    this.#place();
  }

  /** The map is never turned or tilted, so the picture's sides are those of the screen. */
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
