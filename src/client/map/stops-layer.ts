/** The stops in view, as dots. */

import L from 'leaflet';
import type { Stop } from '../api/answers.js';
import { RequestFailed, type Server } from '../api/server.js';
import { element } from '../dom.js';
import type { Spot, Trip } from '../trip.js';

/** Zoomed out further than this, stops would cover each other. */
const LEAST_ZOOM = 12;
const MOST_STOPS = 4000;
const QUIET_MS = 150;
/** Below the lines of itineraries and isochrones. */
const PANE = 'stops';
const PANE_HEIGHT = '350';

/** Loads and draws the stops of the part of the map that is shown. */
export class StopsLayer {
  private readonly group = L.layerGroup();
  private readonly renderer = L.canvas({ pane: PANE });
  private loading = new AbortController();
  private timer: number | undefined;

  /** @param onChoose called with a stop that was clicked. */
  constructor(
    private readonly map: L.Map,
    private readonly server: Server,
    private readonly trip: Trip,
    private readonly onChoose: (spot: Spot) => void,
  ) {
    map.createPane(PANE).style.zIndex = PANE_HEIGHT;
    this.group.addTo(map);
    map.on('moveend', () => this.refreshSoon());
    trip.onChange((change) => {
      if (change === 'router') this.refreshSoon();
    });
  }

  /** Moving the map changes the view many times per second. */
  refreshSoon(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.refresh(), QUIET_MS);
  }

  private async refresh(): Promise<void> {
    this.loading.abort();
    this.loading = new AbortController();
    if (this.map.getZoom() < LEAST_ZOOM) return void this.group.clearLayers();
    const view = this.map.getBounds();
    const box = {
      minLat: view.getSouth(),
      minLon: view.getWest(),
      maxLat: view.getNorth(),
      maxLon: view.getEast(),
    };
    try {
      const stops = await this.server.stopsIn(this.trip.router.routerId, box, this.loading.signal);
      this.draw(stops);
    } catch (error) {
      if (!(error instanceof RequestFailed) && !this.loading.signal.aborted) throw error;
    }
  }

  private draw(stops: readonly Stop[]): void {
    this.group.clearLayers();
    const radius = Math.max(1.5, (this.map.getZoom() - 10) * 0.9);
    const look = { radius, weight: 1, color: '#0b6b5f', fillOpacity: 0.5, bubblingMouseEvents: false };
    for (const stop of stops.slice(0, MOST_STOPS)) {
      const dot = L.circleMarker([stop.lat, stop.lon], { ...look, pane: PANE, renderer: this.renderer });
      dot.bindTooltip(element('span', {}, `${stop.name} ${stop.code ?? ''}`));
      dot.on('click', () => this.onChoose({ lat: stop.lat, lon: stop.lon, name: stop.name }));
      dot.addTo(this.group);
    }
  }
}
