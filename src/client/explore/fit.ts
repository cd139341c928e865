/** Moves the map to what is shown. */

import { useLayoutEffect } from 'preact/hooks';
import { boundsAround } from '../map/bounds.js';
import { mapView } from '../map/shown-map.js';

/** Shows all of these points, once for each key. */
export function useFit(key: string | undefined, points: ReadonlyArray<{ lat: number; lon: number }>): void {
  const view = mapView.value;
  useLayoutEffect(() => {
    const bounds = key === undefined ? undefined : boundsAround(points.map(({ lon, lat }) => [lon, lat] as const));
    if (bounds) view?.fit(bounds, { maxZoom: 16 });
  }, [view, key]);
}
