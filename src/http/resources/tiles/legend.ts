/** GET /analyst/legend.{format}: the colours of a style and their meaning. */

import type { Context } from 'koa';
import { HttpError } from '../../../http-error.js';
import { loadAddon } from '../../../native/addon.js';
import type { TileStyle } from '../../../native/types.js';
import { CACHEABLE } from '../../answers/caching.js';
import { respondBytes } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { type Parameter, parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
import type { Route } from '../../route.js';
import { drawText } from './bitmap-font.js';
import { encoded, type ImageFormat, knownFormat } from './image-format.js';

const PARAMETERS = parameters({
  width: parameter.integer('Pixels, 140 to 2000; 140 for any other number', { default: 300 }),
  height: parameter.integer('Pixels, 25 to 2000; 25 for any other number', { default: 150 }),
  styles: parameter.text('Style: COLOR30, DIFFERENCE, TRANSPARENT, MASK, BOARDINGS or GRAY', { default: 'color30' }),
});

export const legendRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/analyst/:legend',
    handler: legend,
    summary: 'Legend of a style of analysis images: `legend.png`, `legend.gif` or `legend.jpeg`',
    tag: 'Analysis',
    sends: ['image/png', 'image/gif', 'image/jpeg'],
    query: PARAMETERS,
  },
];

const LEAST_WIDTH = 140;
const LEAST_HEIGHT = 25;
const LARGEST = 2000;

/** Number of legends kept; there are few styles and sizes. */
const KEPT = 50;
const kept = new Map<string, Buffer>();

async function legend(ctx: Context, _deps: HandlerDeps, query: Query): Promise<void> {
  const match = /^legend\.(\w+)$/.exec(String(ctx.params.legend));
  if (match === null) throw new HttpError(404, 'Not Found\n');
  const format = knownFormat(match[1] ?? '');
  if (format === 'geotiff') throw new HttpError(400, 'unsupported image format: geotiff');
  const size = (parameter: Parameter<number>, least: number) => {
    const requested = query.value(parameter);
    return requested < least || requested > LARGEST ? least : requested;
  };
  const width = size(PARAMETERS.width, LEAST_WIDTH);
  const height = size(PARAMETERS.height, LEAST_HEIGHT);
  const style = (query.raw(PARAMETERS.styles) ?? String(PARAMETERS.styles.schema.default)).split(',')[0] ?? '';
  const key = `${format} ${width} ${height} ${style.toLowerCase()}`;
  let image = kept.get(key);
  if (image === undefined) {
    image = await draw(format, width, height, style);
    if (kept.size >= KEPT) kept.clear();
    kept.set(key, image);
  }
  ctx.set('Cache-Control', CACHEABLE);
  respondBytes(ctx, `image/${format}`, image);
}

/** First value and number of values of a style, minutes. */
function rangeOf(style: string): { start: number; range: number } {
  return style.toUpperCase() === 'DIFFERENCE' ? { start: -120, range: 240 } : { start: 0, range: 150 };
}

/** Minutes between numbers. */
const LABEL_STEP = 30;

async function draw(
  format: Exclude<ImageFormat, 'geotiff'>,
  width: number,
  height: number,
  style: string,
): Promise<Buffer> {
  const { stylePalette } = await loadAddon();
  // An unknown name has no palette.
  const palette = stylePalette(style as TileStyle);
  if (!palette) throw new HttpError(400, `unknown layer style: ${style}`);
  const { start, range } = rangeOf(style);
  const pixels = new Uint8Array(width * height * 4);
  for (let column = 0; column < width; column += 1) {
    const index = (start + Math.floor((column * range) / width)) & 255;
    const colour = palette.subarray(index * 4, index * 4 + 4);
    for (let row = 0; row < height; row += 1) pixels.set(colour, (row * width + column) * 4);
  }
  const canvas = { pixels, width, height };
  drawText(canvas, 'travel time (minutes)', 0, 10);
  for (let value = start; value < start + range; value += LABEL_STEP) {
    drawText(canvas, String(value), Math.floor(((value - start) * width) / range), height);
  }
  return encoded(pixels, format, { width, height, channels: 4 });
}
