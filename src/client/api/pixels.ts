/** Images whose pixels are values. */

import { request } from './request.js';

/** Red, green, blue and alpha of each pixel, and the headers of the answer. */
export interface ValuePicture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
  readonly headers: Headers;
}

/** The image at an address, with unchanged values. */
export async function requestPixels(url: string): Promise<ValuePicture> {
  const response = await request(url);
  const options = { colorSpaceConversion: 'none', premultiplyAlpha: 'none' } as const;
  const picture = await createImageBitmap(await response.blob(), options);
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  context.drawImage(picture, 0, 0);
  picture.close();
  return { width, height, data: context.getImageData(0, 0, width, height).data, headers: response.headers };
}
