/** The scenario that is being made, on the map: clicks add changes, and the draft is drawn. */

import type { FeatureCollection } from 'geojson';
import type { MapMouseEvent } from 'maplibre-gl';
import { useMemo } from 'preact/hooks';
import { collection, EMPTY_SOURCE, featuresNear, lineFeature, pointFeature } from '../map/features.js';
import type { Overlay } from '../map/overlay.js';
import { useMapData, useMapEvent, useOverlay } from '../map/use-map.js';
import type { Position } from '../state/place.js';
import {
  changes,
  type DraftLine,
  type DraftStop,
  drawing,
  FIRST_HEADWAY_MINUTES,
  lineStops,
  movedStop,
} from './scenario-draft.js';

const NEW = '#d4348c';
/** `location_type` of GTFS. */
const ENTRANCE = 2;

const DRAFT_OVERLAY: Overlay = {
  id: 'draft',
  sources: { 'draft-lines': EMPTY_SOURCE },
  layers: () => [
    {
      id: 'draft-lines',
      type: 'line',
      source: 'draft-lines',
      paint: { 'line-color': NEW, 'line-width': 4, 'line-dasharray': [2, 1] },
    },
    {
      id: 'draft-stops',
      type: 'circle',
      source: 'draft-lines',
      filter: ['==', ['geometry-type'], 'Point'],
      paint: { 'circle-radius': 6, 'circle-color': '#ffffff', 'circle-stroke-color': NEW, 'circle-stroke-width': 3 },
    },
  ],
};

/** Draws the draft, and adds what is clicked to it. */
export function useDraftOnMap(): void {
  useOverlay(DRAFT_OVERLAY);
  const stops = lineStops.value;
  const all = changes.value;
  const moved = movedStop.value;
  const drawn = useMemo(() => {
    const lines = all.flatMap((change): Array<readonly Position[]> => {
      if (change.kind === 'line') return [change.stops];
      return change.kind === 'move' ? [[change.stop, change.to]] : [];
    });
    return draftFeatures([...lines, stops, moved ? [moved] : []]);
  }, [all, stops, moved]);
  useMapData('draft-lines', drawn);
  useMapEvent('click', add);
}

function add(event: MapMouseEvent): void {
  const tool = drawing.value;
  if (tool === 'line') {
    const stop = stopAt(event) ?? placeOf(event);
    lineStops.value = [...lineStops.value, stop];
  } else if (tool === 'move') {
    pickOrPlace(event);
  } else if (tool === 'close') {
    const stop = stopAt(event);
    if (stop) changes.value = [...changes.value, { kind: 'close', stop }];
  } else if (tool !== undefined) {
    const line = lineAt(event);
    if (!line) return;
    const change = tool === 'remove' ? ({ kind: tool, line } as const) : headway(line);
    changes.value = [...changes.value, change];
  }
}

/** The first click chooses the stop, the second its new position. */
function pickOrPlace(event: MapMouseEvent): void {
  const stop = movedStop.value;
  if (!stop) {
    movedStop.value = stopAt(event);
    return;
  }
  const { lat, lng } = event.lngLat;
  const others = changes.value.filter((change) => change.kind !== 'move' || change.stop.stopId !== stop.stopId);
  changes.value = [...others, { kind: 'move', stop, to: { lat, lon: lng } }];
  movedStop.value = undefined;
}

function headway(line: DraftLine) {
  return { kind: 'headway', line, minutes: FIRST_HEADWAY_MINUTES, from: '', until: '' } as const;
}

function lineAt(event: MapMouseEvent): DraftLine | undefined {
  const found = featuresNear(event, ['patterns'])[0]?.properties;
  if (!found) return undefined;
  return { id: String(found.route), name: String(found.shortName ?? found.longName ?? found.route) };
}

/** The stop or station near a click. */
function stopAt(event: MapMouseEvent): DraftStop | undefined {
  const found = featuresNear(event, ['stops']).find(({ properties }) => properties.locationType !== ENTRANCE);
  if (found?.geometry.type !== 'Point') return undefined;
  const [lon = 0, lat = 0] = found.geometry.coordinates;
  return { stopId: String(found.properties.id), lat, lon, name: String(found.properties.name) };
}

function placeOf({ lngLat }: MapMouseEvent): DraftStop {
  const { lat, lng } = lngLat;
  return { lat, lon: lng, name: `${lat.toFixed(4)}, ${lng.toFixed(4)}` };
}

function draftFeatures(lines: ReadonlyArray<readonly Position[]>): FeatureCollection {
  return collection(
    lines.flatMap((stops) => {
      const points = stops.map((stop) => pointFeature(stop));
      return stops.length > 1 ? [lineFeature(stops), ...points] : points;
    }),
  );
}
