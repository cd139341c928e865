/** Lines, stops and marks of itineraries on the map. */

import type { Feature, FeatureCollection } from 'geojson';
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { Itinerary, Leg } from '../api/answers.js';
import { edgeColor } from '../map/edge-color.js';
import { collection, EMPTY_SOURCE, lineFeature, NOTHING, pointFeature } from '../map/features.js';
import { NAME_FONT } from '../map/name-font.js';
import { nameBeside } from '../map/name-side.js';
import type { Overlay } from '../map/overlay.js';
import { decodePolyline } from '../map/polyline.js';
import type { Position } from '../state/place.js';
import type { Theme } from '../state/preferences.js';
import { routeColor } from '../ui/route-badge.js';
import { changesOf } from './itinerary.js';

/** The overlay; its sources are `trip-lines`, `trip-stops` and `trip-pointed`. */
export const TRIP_OVERLAY: Overlay = {
  id: 'trip',
  sources: { 'trip-lines': EMPTY_SOURCE, 'trip-stops': EMPTY_SOURCE, 'trip-pointed': EMPTY_SOURCE },
  layers,
};

/** All itineraries as lines; the chosen one is on top. */
export function lineFeatures(all: readonly Itinerary[], chosen: Itinerary | undefined): FeatureCollection {
  const others = all.filter((itinerary) => itinerary !== chosen);
  return collection([
    ...others.flatMap(({ legs }) => legs.map((leg) => legFeature(leg, 'other'))),
    ...(chosen?.legs ?? []).map((leg) => legFeature(leg, leg.mode === 'WALK' ? 'walk' : 'ride')),
  ]);
}

/**
 * The stops of an itinerary: where the traveller changes, and those on the way. Also the places where a bicycle is
 * rented, returned or parked, and where a car is left.
 */
export function stopFeatures(chosen: Itinerary | undefined): FeatureCollection {
  const legs = chosen?.legs ?? [];
  return collection(
    legs.flatMap((leg) => [
      ...(leg.intermediateStops ?? []).map((stop) => stopFeature(stop, leg, 'passed')),
      ...changesOf(leg, legs).map((place) => stopFeature(place, leg, 'change')),
    ]),
  );
}

/** Where an itinerary begins and ends. */
export function endsOf(chosen: Itinerary | undefined): Position[] {
  return [chosen?.legs.at(0)?.from, chosen?.legs.at(-1)?.to].filter((place) => place !== undefined);
}

/** A mark at a place, or nothing. */
export function markFeature(at: Position | undefined): FeatureCollection {
  return at ? collection([pointFeature(at)]) : NOTHING;
}

function legFeature(leg: Leg, kind: 'other' | 'walk' | 'ride'): Feature {
  const positions = decodePolyline(leg.legGeometry.points).map(([lat, lon]) => ({ lat, lon }));
  return lineFeature(positions, { kind, color: routeColor(leg) });
}

function stopFeature(stop: Position & { name: string; stopId?: string }, leg: Leg, kind: 'passed' | 'change'): Feature {
  const { name, stopId } = stop;
  const properties = { kind, color: routeColor(leg), name };
  return pointFeature(stop, kind === 'change' && stopId !== undefined ? { ...properties, stop: stopId } : properties);
}

const is = (kind: string): ExpressionSpecification => ['==', ['get', 'kind'], kind];

function layers(theme: Theme): LayerSpecification[] {
  const dark = theme === 'dark';
  const casing = dark ? '#0d1113' : '#ffffff';
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const line = (id: string, kind: string, paint: object): LayerSpecification => ({
    id,
    type: 'line',
    source: 'trip-lines',
    filter: is(kind),
    layout: round,
    paint,
  });
  return [
    line('trip-others', 'other', { 'line-color': dark ? '#7b8a90' : '#8b979c', 'line-width': 4, 'line-opacity': 0.5 }),
    line('trip-ride-casing', 'ride', { 'line-color': edgeColor(theme, casing), 'line-width': 10 }),
    line('trip-ride', 'ride', { 'line-color': ['get', 'color'], 'line-width': 6 }),
    line('trip-walk-casing', 'walk', { 'line-color': casing, 'line-width': 8 }),
    line('trip-walk', 'walk', {
      'line-color': dark ? '#c9d3d6' : '#3c4a52',
      'line-width': 4.5,
      'line-dasharray': [0.1, 1.8],
    }),
    ...points(theme, casing),
  ];
}

function points(theme: Theme, casing: string): LayerSpecification[] {
  const dark = theme === 'dark';
  return [
    {
      id: 'trip-stops',
      type: 'circle',
      source: 'trip-stops',
      paint: {
        'circle-color': edgeColor(theme, dark ? '#14191c' : '#ffffff'),
        'circle-radius': ['match', ['get', 'kind'], 'change', 6, 3],
        'circle-stroke-color': ['get', 'color'],
        'circle-stroke-width': ['match', ['get', 'kind'], 'change', 3, 1.5],
      },
    },
    {
      id: 'trip-stop-names',
      type: 'symbol',
      source: 'trip-stops',
      filter: is('change'),
      layout: {
        'text-field': ['get', 'name'],
        'text-font': NAME_FONT,
        ...nameBeside(0.9),
        'text-optional': true,
      },
      paint: { 'text-color': dark ? '#f1f5f6' : '#14201f', 'text-halo-color': casing, 'text-halo-width': 2 },
    },
    {
      id: 'trip-pointed',
      type: 'circle',
      source: 'trip-pointed',
      paint: {
        'circle-color': '#ffb000',
        'circle-radius': 9,
        'circle-stroke-color': '#14201f',
        'circle-stroke-width': 3,
      },
    },
  ];
}
