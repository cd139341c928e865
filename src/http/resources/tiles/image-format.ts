import type { CreateRaw } from 'sharp';
import { HttpError } from '../../../http-error.js';

export type ImageFormat = 'png' | 'gif' | 'jpeg' | 'geotiff';

const FORMATS: readonly ImageFormat[] = ['png', 'gif', 'jpeg', 'geotiff'];

/** Pixels or a PNG in a format; JPEG has no transparency, so its background is white. */
export async function encoded(
  image: Uint8Array,
  format: Exclude<ImageFormat, 'geotiff'>,
  raw?: CreateRaw,
): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const decoded = sharp(image, raw && { raw });
  return (format === 'jpeg' ? decoded.flatten({ background: 'white' }) : decoded)[format]().toBuffer();
}

/** The format of a media type such as `image/png`; anything else gets 400 with the interface's text. */
export function imageFormat(mediaType: string): ImageFormat {
  const [type, subtype = ''] = mediaType.split('/');
  if (type !== 'image' || subtype === '') throw new HttpError(400, `malformed image format mime type: ${mediaType}`);
  return knownFormat(subtype);
}

/** The format of a file extension or media subtype. */
export function knownFormat(name: string): ImageFormat {
  const format = FORMATS.find((known) => known === (name === 'jpg' ? 'jpeg' : name));
  if (format === undefined) throw new HttpError(400, `unsupported image format: ${name}`);
  return format;
}
