/** The itineraries on the map: the chosen one in the colours of its routes, the others in grey. */

import type { Map as MapLibreMap } from 'maplibre-gl';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { Itinerary } from '../api/answers.js';
import { boundsAround } from '../map/bounds.js';
import { decodePolyline } from '../map/polyline.js';
import { mapView } from '../map/shown-map.js';
import { useMapData, useOverlay, useQuietTransit } from '../map/use-map.js';
import { useNameSides } from '../map/use-name-sides.js';
import { itineraryKey } from './itinerary.js';
import { pointed } from './pointed.js';
import { endsOf, lineFeatures, markFeature, stopFeatures, TRIP_OVERLAY } from './trip-overlay.js';

const LINES = 'trip-lines';

/** Draws the itineraries. When another one is chosen that is not visible, moves the map to it. */
export function TripOnMap(props: { itineraries: readonly Itinerary[]; chosen: Itinerary | undefined }) {
  const { itineraries, chosen } = props;
  const view = mapView.value;
  useOverlay(TRIP_OVERLAY);
  const lines = useMemo(() => lineFeatures(itineraries, chosen), [itineraries, chosen]);
  useLayoutEffect(() => view && markWhenPainted(view.map), [view, lines]);
  useMapData(LINES, lines);
  const stops = useMemo(() => stopFeatures(chosen), [chosen]);
  const pins = useMemo(() => endsOf(chosen), [chosen]);
  useMapData('trip-stops', useNameSides(stops, pins));
  const at = pointed.value;
  useMapData(
    'trip-pointed',
    useMemo(() => markFeature(at), [at]),
  );
  useQuietTransit(chosen !== undefined);
  const key = chosen && itineraryKey(chosen);
  useLayoutEffect(() => {
    const points = chosen?.legs.flatMap((leg) => decodePolyline(leg.legGeometry.points)) ?? [];
    const bounds = boundsAround(points.map(([lat, lon]) => [lon, lat] as const));
    if (bounds) view?.fitUnlessSeen(bounds);
    // Live times change an itinerary without moving it.
  }, [view, key]);
  return null;
}

/** Leaves a mark for measurements when the map has drawn the next lines. */
function markWhenPainted(map: MapLibreMap): () => void {
  const loaded = map.on('sourcedata', ({ sourceId, tile, isSourceLoaded }) => {
    if (sourceId !== LINES || !tile || !isSourceLoaded) return;
    loaded.unsubscribe();
    map.once('render', () => performance.mark('trip-painted'));
  });
  return () => loaded.unsubscribe();
}
