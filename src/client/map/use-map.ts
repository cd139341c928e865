/**
 * Lets panels draw on the map and listen to clicks for as long as they are on the page. Layout effects change the map,
 * before the browser paints: results are never visible before the map shows them, and no click is lost.
 */

import type { GeoJSON } from 'geojson';
import type { MapEventType } from 'maplibre-gl';
import { useLayoutEffect } from 'preact/hooks';
import { NOTHING } from './features.js';
import type { Overlay } from './overlay.js';
import { mapView } from './shown-map.js';

/** Shows an overlay; it has to be the same object each time. */
export function useOverlay(overlay: Overlay): void {
  const view = mapView.value;
  useLayoutEffect(() => view?.add(overlay), [view, overlay]);
}

/**
 * Shows features in a GeoJSON source of an overlay; they change whenever this is another object, and are removed at the
 * end.
 */
export function useMapData(source: string, data: GeoJSON): void {
  const view = mapView.value;
  useLayoutEffect(() => () => view?.setData(source, NOTHING), [view, source]);
  useLayoutEffect(() => view?.setData(source, data), [view, source, data]);
}

/** Draws the routes and stops of the style faintly while lines that the panel draws are to stand out. */
export function useQuietTransit(isQuiet: boolean): void {
  const view = mapView.value;
  useLayoutEffect(() => {
    view?.quietTransit(isQuiet);
    return () => view?.quietTransit(false);
  }, [view, isQuiet]);
}

/** Calls the listener for events of the map under the pointer; it has to be the same function each time. */
export function useMapEvent<E extends 'click' | 'contextmenu' | 'movestart' | 'moveend' | 'mousemove'>(
  event: E,
  listener: (event: MapEventType[E]) => void,
): void {
  const view = mapView.value;
  useLayoutEffect(() => {
    const subscription = view?.map.on(event, listener);
    return () => subscription?.unsubscribe();
  }, [view, event, listener]);
}
