/** Keeps the sides of names up to date while the map moves, and hides the names of the same stops on the map itself. */

import type { FeatureCollection } from 'geojson';
import { useCallback, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { Position } from '../state/place.js';
import { sideOf } from './name-side.js';
import { mapView } from './shown-map.js';
import { useMapEvent } from './use-map.js';

const NO_PINS: readonly Position[] = [];

/** The same points with the sides of their names beside these pins, which change when the map is moved. */
export function useNameSides(points: FeatureCollection, pins = NO_PINS): FeatureCollection {
  const view = mapView.value;
  const find = () => (view ? points.features.map((point) => sideOf(point, view, pins)).join() : '');
  const [sides, setSides] = useState(find);
  const update = useCallback(() => setSides(find()), [view, points, pins]);
  useLayoutEffect(update, [update]);
  useMapEvent('moveend', update);
  useLayoutEffect(() => () => view?.leaveNames([]), [view]);
  useLayoutEffect(() => view?.leaveNames(stopsOf(points)), [view, points]);
  return useMemo(() => withSides(points, sides.split(',')), [points, sides]);
}

/** The stops whose names are drawn, from the property `stop` of the points. */
function stopsOf({ features }: FeatureCollection): string[] {
  return features.flatMap(({ properties }) => properties?.stop ?? []);
}

function withSides(points: FeatureCollection, sides: readonly string[]): FeatureCollection {
  const features = points.features.map((point, i) => ({
    ...point,
    properties: { ...point.properties, side: sides[i] ?? 'right' },
  }));
  return { ...points, features };
}
