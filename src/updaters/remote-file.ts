/** A file that is fetched again and again, by http or from the disk: only when it has changed, and never too much of it. */

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** How long one fetch may take. */
const TIMEOUT_MS = 5000;
/** Largest answer that is read. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Why a fetch failed, in words for the operator. */
export class FetchFailure extends Error {}

/** Where to fetch from. */
export interface RemoteFileOptions {
  /** `http:`, `https:` or `file:` URL, or a path relative to `directory`. */
  readonly location: string;
  /** The router's directory. */
  readonly directory: string;
  /** Sent along. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

/** One remote file with what is needed to ask whether it has changed. */
export class RemoteFile {
  #etag: string | undefined;
  #modified: string | undefined;

  constructor(private readonly options: RemoteFileOptions) {}

  /** The content; undefined when it is the same as before. Throws `FetchFailure`. */
  async fetch(signal?: AbortSignal): Promise<Uint8Array | undefined> {
    try {
      return /^https?:/i.test(this.options.location) ? await this.#request(signal) : await this.#read();
    } catch (error) {
      if (error instanceof FetchFailure) throw error;
      const { name, message, cause } = error as Error & { cause?: Error };
      const reason = name === 'TimeoutError' ? 'no answer in time' : (cause?.message ?? message);
      throw new FetchFailure(`${this.options.location}: ${reason}`);
    }
  }

  /**
   * Fetches, and uses what is new; undefined when nothing is. What could not be used is fetched again even when it has
   * not changed. Throws `FetchFailure`, or what `use` throws.
   */
  async use<T>(signal: AbortSignal, use: (bytes: Uint8Array) => Promise<T> | T): Promise<T | undefined> {
    const bytes = await this.fetch(signal);
    if (bytes === undefined) return undefined;
    try {
      return await use(bytes);
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  /** The next fetch gets the content in any case: what came last could not be used. */
  forget(): void {
    this.#etag = undefined;
    this.#modified = undefined;
  }

  async #request(signal: AbortSignal | undefined): Promise<Uint8Array | undefined> {
    const { location, headers = {}, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = this.options;
    const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
    const response = await fetch(location, {
      headers: {
        ...headers,
        ...(this.#etag === undefined ? {} : { 'If-None-Match': this.#etag }),
        ...(this.#modified === undefined ? {} : { 'If-Modified-Since': this.#modified }),
      },
      signal: AbortSignal.any(limits),
    });
    if (response.status === 304) return undefined;
    if (!response.ok) {
      await response.body?.cancel();
      throw new FetchFailure(`${location}: status ${response.status}`);
    }
    const content = await readLimited(response, maxBytes);
    this.#etag = response.headers.get('ETag') ?? undefined;
    this.#modified = response.headers.get('Last-Modified') ?? undefined;
    return content;
  }

  async #read(): Promise<Uint8Array | undefined> {
    const { location, directory, maxBytes = MAX_BYTES } = this.options;
    const file = location.startsWith('file:') ? fileURLToPath(location) : path.resolve(directory, location);
    const { mtimeMs, size } = await stat(file);
    if (size > maxBytes) throw new FetchFailure(`${location}: larger than ${maxBytes} bytes`);
    const modified = `${mtimeMs}/${size}`;
    if (modified === this.#modified) return undefined;
    const content = await readFile(file);
    this.#modified = modified;
    return content;
  }
}

/** Reads a body chunk by chunk, and gives up as soon as it is too long. */
async function readLimited(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of response.body ?? []) {
    total += chunk.byteLength;
    if (total > maxBytes) throw new FetchFailure(`${response.url}: larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
