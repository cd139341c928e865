import sharp from 'sharp';

/** The bytes of the channels of all pixels, with alpha. */
export async function pixels(response: Response): Promise<Buffer> {
  return sharp(Buffer.from(await response.arrayBuffer()))
    .ensureAlpha()
    .raw()
    .toBuffer();
}
