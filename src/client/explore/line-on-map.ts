/** A line or a trip on the map, over the faint other lines. */

import { useMemo } from 'preact/hooks';
import { NOTHING } from '../map/features.js';
import { useMapData, useQuietTransit } from '../map/use-map.js';
import { useNameSides } from '../map/use-name-sides.js';
import type { Position } from '../state/place.js';
import { coloredLine, stopsOfLine } from './explore-features.js';
import { useFit } from './fit.js';
import type { PatternStop } from './index-answers.js';

export interface DrawnLine {
  /** Another one has another key. */
  readonly key: string;
  readonly color: string;
  /** Without a geometry, the line is drawn from stop to stop. */
  readonly geometry: readonly Position[] | null | undefined;
  readonly stops: readonly PatternStop[];
}

/** Draws the line with the names of its ends, and moves the map to it; nothing without a line. */
export function useLineOnMap(line: DrawnLine | undefined): void {
  const [key, color] = [line?.key, line?.color];
  const points = line?.geometry ?? line?.stops ?? [];
  const shape = useMemo(() => (line ? coloredLine(points, line.color) : NOTHING), [key, color]);
  const stops = useMemo(() => (line ? stopsOfLine(line.stops, line.color) : NOTHING), [key, color]);
  useMapData('explore-shape', shape);
  useMapData('explore-stops', useNameSides(stops));
  useQuietTransit(line !== undefined);
  useFit(key, points);
}
