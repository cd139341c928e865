/** The side of its place on which a name is drawn, so that neither the edge of the map nor a pin cuts it off. */

import type { Feature } from 'geojson';
import type { SymbolLayerSpecification } from 'maplibre-gl';
import type { Position } from '../state/place.js';

/** Size of names that overlays draw, pixels. */
const SIZE = 13;
/** The longest line of a name, in sizes: what the map breaks lines at unless told otherwise. */
const LINE = 10;
/** Width of letters, in sizes; wide ones, as in names in capitals. */
const LETTER = 0.75;
/** Half of a pin's width, and its height with half a line of a name; pixels. */
const PIN = { half: 15, height: 44 };
/** What a pin over a name counts for, in pixels of the name that are cut off. */
const COVERED_BY_PIN = 26;

type Side = 'left' | 'right';

/** Where a name is drawn that is beside the mark of its place, at a distance in sizes of the name. */
export function nameBeside(distance: number): NonNullable<SymbolLayerSpecification['layout']> {
  const isLeft = ['==', ['get', 'side'], 'left'] as ['==', ['get', string], string];
  return {
    'text-size': SIZE,
    'text-max-width': LINE,
    'text-justify': 'auto',
    'text-anchor': ['case', isLeft, 'right', 'left'],
    'text-offset': ['case', isLeft, ['literal', [-distance, 0]], ['literal', [distance, 0]]],
  };
}

/** What is needed of a map to find the sides of names. */
export interface NamedMap {
  readonly map: {
    project(at: [lon: number, lat: number]): { x: number; y: number };
    getContainer(): { clientWidth: number };
  };
  /** Pixels at the right edge that other things cover. */
  readonly covered: { readonly right: number };
}

/** The side on which less of a point's name is cut off; the right one if they are equal. */
export function sideOf(
  { geometry, properties }: Feature,
  { map, covered }: NamedMap,
  pins: readonly Position[],
  size = SIZE,
): Side {
  if (geometry.type !== 'Point') return 'right';
  const [lon = 0, lat = 0] = geometry.coordinates;
  const { x, y } = map.project([lon, lat]);
  const length = size * (1 + longestLine(String(properties?.name ?? '')));
  const marks = pins.map((pin) => map.project([pin.lon, pin.lat]));
  const loss = (from: number, to: number) => {
    const isCovered = marks.some(
      (mark) => mark.x + PIN.half > from && mark.x - PIN.half < to && mark.y > y - size && mark.y - PIN.height < y,
    );
    const right = map.getContainer().clientWidth - covered.right;
    return Math.max(0, to - right) + Math.max(0, -from) + (isCovered ? COVERED_BY_PIN : 0);
  };
  return loss(x - length, x - size) < loss(x + size, x + length) ? 'left' : 'right';
}

/** The width of a name in sizes: the map breaks its lines between words, but never a word. */
function longestLine(name: string): number {
  const word = Math.max(...name.split(/\s/).map((one) => one.length));
  return LETTER * Math.max(word, Math.min(LINE / LETTER, name.length));
}
