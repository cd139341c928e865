/** Start and destination on the map: set by a click, moved by dragging. */

import L from 'leaflet';
import type { End, Spot, Trip } from '../trip.js';

const LETTERS: Readonly<Record<End, string>> = { from: 'A', to: 'B' };
const TITLES: Readonly<Record<End, string>> = { from: 'Start', to: 'Destination' };

/** The two markers. */
export class EndMarkers {
  private readonly markers: Partial<Record<End, L.Marker>> = {};
  private next: End | undefined;

  constructor(
    private readonly map: L.Map,
    private readonly trip: Trip,
  ) {
    map.on('click', ({ latlng }) => this.place({ lat: latlng.lat, lon: latlng.lng }));
    trip.onChange((change) => {
      for (const end of change === 'router' ? (['from', 'to'] as const) : [change]) this.draw(end);
    });
    this.draw('from');
    this.draw('to');
  }

  /** The next click sets this end; otherwise the missing one or the destination. */
  arm(end: End): void {
    this.next = end;
  }

  /** Sets the end that is due. */
  place(spot: Spot): void {
    const end = this.next ?? (this.trip.spot('from') ? 'to' : 'from');
    this.next = undefined;
    this.trip.setSpot(end, spot);
  }

  private draw(end: End): void {
    const spot = this.trip.spot(end);
    this.markers[end]?.remove();
    if (!spot) return;
    const marker = L.marker([spot.lat, spot.lon], {
      draggable: true,
      title: TITLES[end],
      alt: TITLES[end],
      icon: L.divIcon({ className: `end end-${end}`, html: LETTERS[end], iconSize: [26, 26] }),
    });
    marker.on('dragend', () => {
      const { lat, lng } = marker.getLatLng();
      this.trip.setSpot(end, { lat, lon: lng });
    });
    this.markers[end] = marker.addTo(this.map);
  }
}
