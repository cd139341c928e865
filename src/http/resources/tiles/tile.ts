/** Map tiles of minutes: the path that names a tile, and the answer. */

import type { Context } from 'koa';
import { HttpError } from '../../../http-error.js';
import type { TilePlace } from '../../../native/types.js';
import { respondBytes } from '../../answers/respond.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { encoded, type ImageFormat } from './image-format.js';

/** The tile of a path that ends in the parameters `z`, `x` and `tile`: `z/x/y.png`. */
export function tileOf(ctx: Context): TilePlace {
  const match = /^(\d{1,9})\.png$/.exec(String(ctx.params.tile));
  if (match === null) throw new HttpError(404, 'the path of a tile is z/x/y.png\n');
  const number = (name: string) => {
    const text = String(ctx.params[name]);
    if (!/^\d{1,9}$/.test(text)) throw new BadParameter(name, 'is not the number of a tile');
    return Number(text);
  };
  return { z: number('z'), x: number('x'), y: Number(match[1]) };
}

/** Sends a PNG tile, converted if another format is requested, or a GeoTIFF. */
export async function respondTile(
  ctx: Context,
  image: Buffer,
  caching: string,
  format: ImageFormat = 'png',
): Promise<void> {
  ctx.set('Cache-Control', caching);
  if (format === 'png' || format === 'geotiff') return respondBytes(ctx, `image/${format}`, image);
  respondBytes(ctx, `image/${format}`, await encoded(image, format));
}
