/** The lines of one itinerary. */

import L from 'leaflet';
import type { Itinerary, Leg } from '../api/answers.js';
import { decodePolyline } from '../text/polyline.js';

const MODE_COLORS: Readonly<Record<string, string>> = {
  WALK: '#5f6f7a',
  BICYCLE: '#2f8f3a',
  CAR: '#8a5a2b',
  BUS: '#1f6fd0',
  TRAM: '#c0392b',
  SUBWAY: '#7a3fb0',
  RAIL: '#b8860b',
  FERRY: '#117a8b',
};

/** The feed's colour, or else that of the mode. */
export function legColor(leg: Leg): string {
  return /^[0-9a-f]{6}$/i.test(leg.routeColor ?? '') ? `#${leg.routeColor}` : (MODE_COLORS[leg.mode] ?? '#1f6fd0');
}

/** Draws one itinerary at a time. */
export class ItineraryLayer {
  private readonly group = L.featureGroup();

  constructor(private readonly map: L.Map) {
    this.group.addTo(map);
  }

  clear(): void {
    this.group.clearLayers();
  }

  show(itinerary: Itinerary): void {
    this.clear();
    for (const leg of itinerary.legs) this.draw(leg);
    const bounds = this.group.getBounds();
    if (bounds.isValid()) this.map.fitBounds(bounds, { padding: [40, 40], maxZoom: 17 });
  }

  private draw(leg: Leg): void {
    const points = decodePolyline(leg.legGeometry.points);
    const onFoot = leg.mode === 'WALK';
    // A light line below keeps dark routes visible on a dark background, and light ones on a light one.
    L.polyline(points, { color: '#fff', weight: 8, opacity: 0.8, interactive: false }).addTo(this.group);
    L.polyline(points, {
      color: legColor(leg),
      weight: 5,
      dashArray: onFoot ? '1 8' : undefined,
      interactive: false,
    }).addTo(this.group);
    if (!leg.transitLeg) return;
    for (const { lat, lon } of [leg.from, ...(leg.intermediateStops ?? []), leg.to]) {
      L.circleMarker([lat, lon], {
        radius: 4,
        weight: 2,
        color: legColor(leg),
        fillColor: '#fff',
        fillOpacity: 1,
        interactive: false,
      }).addTo(this.group);
    }
  }
}
