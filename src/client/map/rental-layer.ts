/** Rental stations with what can be rented. */

import L from 'leaflet';
import type { RentalStation } from '../api/answers.js';
import { element } from '../dom.js';

/** The number that servers give when they do not know the free places. */
const UNKNOWN_SPACES = 2 ** 31 - 1;

/** Draws the stations of one router at a time. */
export class RentalLayer {
  private readonly group = L.layerGroup();

  constructor(private readonly map: L.Map) {}

  /** Replaces the stations. */
  draw(stations: readonly RentalStation[]): void {
    this.group.clearLayers();
    for (const { x, y, name, bikesAvailable, spacesAvailable } of stations) {
      const color = bikesAvailable > 0 ? '#1d7f1d' : '#8a8a8a';
      const places = spacesAvailable < UNKNOWN_SPACES ? `, ${spacesAvailable} free places` : '';
      L.marker([y, x], {
        icon: L.divIcon({
          className: 'rental',
          html: element('b', { style: `background:${color}` }, `${bikesAvailable}`),
        }),
        title: `${name}: ${bikesAvailable} bikes${places}`,
        keyboard: false,
      }).addTo(this.group);
    }
  }

  /** Shows or hides them. */
  toggle(shown: boolean): void {
    if (shown) this.group.addTo(this.map);
    else this.group.remove();
  }
}
