/** Puts the page together. */

import 'leaflet/dist/leaflet.css';
import './style.css';
import type { RouterInfo } from './api/answers.js';
import { Server } from './api/server.js';
import { byId, element } from './dom.js';
import { BaseMap, backgroundTiles } from './map/base-map.js';
import { EndMarkers } from './map/end-markers.js';
import { IsochroneLayer } from './map/isochrone-layer.js';
import { ItineraryLayer } from './map/itinerary-layer.js';
import { RentalLayer } from './map/rental-layer.js';
import { StopsLayer } from './map/stops-layer.js';
import { TileOverlay } from './map/tile-overlay.js';
import { LayersPanel } from './panels/layers-panel.js';
import { ReachPanel } from './panels/reach-panel.js';
import { tell } from './panels/search-run.js';
import { showTabs } from './panels/tabs.js';
import { TripPanel } from './panels/trip-panel.js';
import { Trip } from './trip.js';

start().catch((error: unknown) => tell(error instanceof Error ? error.message : String(error)));

async function start(): Promise<void> {
  const server = await Server.find();
  byId('interface-docs').setAttribute('href', `${server.base}/docs`);
  const [first, ...others] = await server.routers();
  if (!first) return tell('This server has no router yet. Reload the page when it has.');
  const trip = new Trip([first, ...others], location.hash);
  offerRouters(trip, trip.routers);
  const map = new BaseMap(byId('map'), backgroundTiles(location.search, localStorage));
  map.showRouter(trip.router);
  trip.onChange((change) => {
    if (change === 'router') map.showRouter(trip.router);
  });
  showTools(server, trip, map);
}

function offerRouters(trip: Trip, routers: readonly RouterInfo[]): void {
  const select = byId('router') as HTMLSelectElement;
  select.append(
    ...routers.map(({ routerId }) => element('option', { value: routerId }, routerId === '' ? '(root)' : routerId)),
  );
  select.value = trip.router.routerId;
  select.addEventListener('change', () => trip.chooseRouter(select.value));
}

function showTools(server: Server, trip: Trip, { leaflet }: BaseMap): void {
  const markers = new EndMarkers(leaflet, trip);
  new StopsLayer(leaflet, server, trip, (spot) => markers.place(spot)).refreshSoon();
  const tripPanel = new TripPanel(server, trip, new ItineraryLayer(leaflet), (end) => {
    markers.arm(end);
    tell(`Click the map to set the ${end === 'from' ? 'start' : 'destination'}.`);
  });
  const reach = new ReachPanel(server, trip, new IsochroneLayer(leaflet), new TileOverlay(leaflet));
  const layers = new LayersPanel(server, trip, new TileOverlay(leaflet), new RentalLayer(leaflet));
  showTabs(byId('tabs'), byId('panes'), [
    { id: 'trip', title: 'Trip', pane: tripPanel.root },
    { id: 'reach', title: 'Reach', pane: reach.root },
    { id: 'layers', title: 'Layers', pane: layers.root },
  ]);
  if (trip.spot('from') && trip.spot('to')) tripPanel.plan();
}
