/** What Explore draws on the map. */

import type { FeatureCollection } from 'geojson';
import { collection, lineFeature, pointFeature } from '../map/features.js';
import type { Position } from '../state/place.js';
import type { PatternStop } from './index-answers.js';

export function coloredLine(points: readonly Position[], color: string): FeatureCollection {
  return collection([lineFeature(points, { color })]);
}

/** Points in one colour. */
export function coloredPoints(points: readonly Position[], color = '#000000'): FeatureCollection {
  return collection(points.map((point) => pointFeature(point, { color })));
}

/** The stops of a line in its colour; the first and the last one with their names. */
export function stopsOfLine(stops: readonly PatternStop[], color: string): FeatureCollection {
  const last = stops.length - 1;
  return collection(
    stops.map(({ name, gtfsId, ...at }, i) =>
      pointFeature(at, { color, ...((i === 0 || i === last) && { name, stop: gtfsId }) }),
    ),
  );
}

/** Stops that are marked, with the name of the first. */
export function chosenStops(stops: ReadonlyArray<Position & { name: string; gtfsId: string }>): FeatureCollection {
  return collection(
    stops.map(({ name, gtfsId, ...at }, i) => pointFeature(at, { stop: gtfsId, ...(i === 0 && { name }) })),
  );
}
