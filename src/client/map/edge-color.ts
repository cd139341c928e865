/** The edges of lines and marks in the colours of routes. */

import type { ExpressionSpecification } from 'maplibre-gl';

/** Brightness of the feature's `color`, 0 to 255. */
const BRIGHTNESS: ExpressionSpecification = [
  'let',
  'rgb',
  ['to-rgba', ['to-color', ['get', 'color']]],
  [
    '+',
    ['*', 0.299, ['at', 0, ['var', 'rgb']]],
    ['*', 0.587, ['at', 1, ['var', 'rgb']]],
    ['*', 0.114, ['at', 2, ['var', 'rgb']]],
  ],
];

/** `usual`, except around colours that are hardly seen on the map: black on a dark one, white on a light one. */
export function edgeColor(theme: 'light' | 'dark', usual: string): ExpressionSpecification {
  return theme === 'dark'
    ? ['case', ['<', BRIGHTNESS, 60], '#a3b0b5', usual]
    : ['case', ['>', BRIGHTNESS, 235], '#55646a', usual];
}
