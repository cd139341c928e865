/** Contents that are too large for a value: files and surfaces, which processes fetch when they need them. */

import { createHash } from 'node:crypto';
import { HttpError } from '../http-error.js';

/** Contents by name. The content of a name never changes. */
export interface SharedContents {
  /**
   * Keeps a content. Rejects with an `HttpError` 413 when it is too large, 503 when the other processes cannot be
   * reached.
   */
  put(name: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  /** The parts of a content. Rejects with a `MissingContent`, or with an `HttpError` 503. */
  get(name: string): AsyncIterable<Uint8Array>;
  has(name: string): Promise<boolean>;
  /** Marks the contents that `names` returns as in use: they stay while a process that uses them is connected. */
  keep(names: () => Iterable<string>): void;
  remove(name: string): Promise<void>;
  close(): void;
}

/** Most bytes of a content: as many as a point set may have. */
export const MAX_CONTENT_BYTES = 128 * 1024 ** 2;

/** No process has this content any more. */
export class MissingContent extends Error {}

export async function wholeContent(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const whole: Uint8Array[] = [];
  for await (const part of parts) whole.push(part);
  return Buffer.concat(whole);
}

/**
 * The parts of a content whose name ends with the SHA-256 of its bytes. Rejects at the end if the bytes have another
 * hash.
 */
export async function* checkedContent(contents: SharedContents, name: string): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256');
  for await (const part of contents.get(name)) {
    hash.update(part);
    yield part;
  }
  if (!name.endsWith(hash.digest('hex'))) throw new Error(`the shared content ${name} is damaged`);
}

/** The answer for a content that is too large. */
export function contentTooLarge(): HttpError {
  return new HttpError(413, `more than ${MAX_CONTENT_BYTES} bytes cannot be shared by hosts\n`);
}
