/** The tab that shows stops, lines, trips, vehicles and rental stations. */

import './explore.css';
import type { MapMouseEvent } from 'maplibre-gl';
import { useEffect } from 'preact/hooks';
import { mapView } from '../map/shown-map.js';
import { useMapEvent, useOverlay } from '../map/use-map.js';
import { change, state } from '../state/address.js';
import { t } from '../text/texts.js';
import { Button } from '../ui/controls.js';
import { showClicked, thingAt } from './explore-map.js';
import { EXPLORE_OVERLAY } from './explore-overlay.js';
import { LineView } from './line-view.js';
import { LineList, Overview } from './overview.js';
import { RentalView } from './rental-view.js';
import { StopView } from './stop-view.js';
import { TripView } from './trip-view.js';
import { VehicleView } from './vehicle-view.js';

/** The source of the style with vehicles and rental stations. */
const LIVE_SOURCE = 'live';
const LIVE_TILES_EVERY_MS = 15_000;

/** The chosen thing, or what can be chosen. */
export function ExplorePanel() {
  useOverlay(EXPLORE_OVERLAY);
  useMapEvent('click', showClicked);
  useMapEvent('mousemove', showHand);
  useEffect(() => hideHand, []);
  useEffect(followLiveData, []);
  const thing = state.thing.value;
  if (!thing) return <Overview />;
  return (
    <div class="explore">
      <Button kind="quiet" icon="left" onClick={() => change({ thing: undefined, pattern: '' })}>
        {t('explore.back')}
      </Button>
      <ThingView key={`${thing.kind}/${thing.id}`} kind={thing.kind} id={thing.id} />
    </div>
  );
}

function ThingView({ kind, id }: { kind: string; id: string }) {
  if (kind === 'stop') return <StopView ids={[id]} />;
  if (kind === 'stops') return <StopView ids={id.split(',')} />;
  if (kind === 'line') return <LineView id={id} />;
  if (kind === 'lines') return <LineList ids={id.split(',')} />;
  if (kind === 'trip') return <TripView id={id} />;
  if (kind === 'vehicle') return <VehicleView id={id} />;
  return <RentalView id={id} />;
}

/** Shows by the pointer what can be clicked. */
function showHand(event: MapMouseEvent): void {
  event.target.getCanvas().style.cursor = thingAt(event) ? 'pointer' : '';
}

/**
 * Requests the tiles of vehicles and rental stations again while the page is visible. Returns a function that ends
 * this.
 */
function followLiveData(): () => void {
  const timer = setInterval(() => {
    const map = mapView.peek()?.map;
    if (document.visibilityState === 'visible' && map?.getSource(LIVE_SOURCE)) map.refreshTiles(LIVE_SOURCE);
  }, LIVE_TILES_EVERY_MS);
  return () => clearInterval(timer);
}

function hideHand(): void {
  const canvas = mapView.peek()?.map.getCanvas();
  if (canvas) canvas.style.cursor = '';
}
