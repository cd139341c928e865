/**
 * A file that is read again and again, by http or from the disk, but only when it has changed, and up to a size limit.
 */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Dispatcher, Response } from 'undici';
import type { FeedConditions, FeedContent, SharedFeeds } from '../sharing/shared-feeds.js';
import { type AddressRule, ForbiddenAddress, isWebAddress, shownLocation } from './feed-address.js';

/** Longest time of one fetch. */
const TIMEOUT_MS = 5000;
/** Largest answer that is read. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Why a fetch failed, for the operator. */
class FetchFailure extends Error {}

/** The sources that a configuration may read. */
export interface FeedAccess {
  /** The router's directory; relative paths start there. */
  readonly directory: string;
  /** Where redirects and documents of feeds may lead. */
  readonly rule: AddressRule;
  /** Who wrote the configuration. Only the operator may name files, and addresses that the rule does not allow. */
  readonly chosenBy: 'operator' | 'uploader';
  /** Where one process fetches on behalf of all; undefined when each fetches for itself. */
  readonly shared?: SharedFeeds | undefined;
  /** Interval between requests to the source, milliseconds; 0 for a single request. */
  readonly periodMs?: number;
}

/** Where to fetch from. */
export interface RemoteFileOptions extends FeedAccess {
  /** `http:`, `https:` or `file:` URL, or a path. User and password are sent as basic authentication. */
  readonly location: string;
  /** The configured address, when `location` was found in a document from there. */
  readonly discoveredFrom?: string;
  /** Sent only to the configured host. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

/** One remote file, with what is needed to find out whether it has changed. */
export class RemoteFile {
  #etag: string | undefined;
  #modified: string | undefined;
  /** Names the last content that another process may have fetched. */
  #digest: string | undefined;

  constructor(private readonly options: RemoteFileOptions) {}

  /** The content; undefined when it is the same as before. Throws `FetchFailure`. */
  async fetch(signal?: AbortSignal): Promise<Uint8Array | undefined> {
    try {
      return isWebAddress(this.options.location) ? await this.#fetchWeb(signal) : await this.#read();
    } catch (error) {
      const { name, message, cause } = error as Error & { cause?: Error };
      const reason = name === 'TimeoutError' ? 'no answer in time' : (cause?.message ?? message);
      throw new FetchFailure(`${shownLocation(this.options.location)}: ${reason}`);
    }
  }

  /**
   * Reads the file and passes new content to `use`; undefined when there is none. Content that could not be used is
   * read again even when it has not changed. Throws `FetchFailure`, or the error of `use`.
   */
  async use<T>(signal: AbortSignal, use: (bytes: Uint8Array) => Promise<T> | T): Promise<T | undefined> {
    const bytes = await this.fetch(signal);
    if (bytes === undefined) return undefined;
    try {
      return await use(bytes);
    } catch (error) {
      this.forget();
      // The parser's message quotes the document, which clients may not be allowed to see.
      if (error instanceof SyntaxError)
        throw new FetchFailure(`${shownLocation(this.options.location)}: not valid JSON`);
      throw error;
    }
  }

  /** The next fetch always reads the content, because the last content was unusable or is no longer in use. */
  forget(): void {
    this.#digest = undefined;
    this.#etag = undefined;
    this.#modified = undefined;
  }

  /** Gets the content from the process that fetches for all, or from the source. */
  async #fetchWeb(signal: AbortSignal | undefined): Promise<Uint8Array | undefined> {
    const { location, discoveredFrom, chosenBy, headers, shared, periodMs = 0 } = this.options;
    if (shared !== undefined && periodMs > 0) {
      // A request with other rights or headers may get another answer.
      const source = JSON.stringify([location, discoveredFrom, chosenBy, headers]);
      const load = (conditions: FeedConditions) => this.#request(conditions, signal);
      const found = await shared.fetch(source, periodMs, this.#digest, load);
      if (found === undefined) return undefined;
      if (found !== 'alone') {
        this.forget();
        this.#digest = found.digest;
        return found.bytes;
      }
    }
    const answer = await this.#request({ etag: this.#etag, modified: this.#modified }, signal);
    if (answer === undefined) return undefined;
    // Content comes either from the process that fetches for all, with a digest, or from the source, with an entity tag.
    this.#digest = undefined;
    this.#etag = answer.etag;
    this.#modified = answer.modified;
    return answer.bytes;
  }

  async #request(conditions: FeedConditions, signal: AbortSignal | undefined): Promise<FeedContent | undefined> {
    const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = this.options;
    const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
    const response = await this.#follow(conditions, AbortSignal.any(limits));
    if (response.status === 304) return undefined;
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`status ${response.status}`);
    }
    const bytes = await readLimited(response.body ?? [], maxBytes);
    const header = (name: string) => response.headers.get(name) ?? undefined;
    return { bytes, etag: header('ETag'), modified: header('Last-Modified') };
  }

  /** The answer at the end of the redirects; the rule has to allow each of them. */
  async #follow(conditions: FeedConditions, signal: AbortSignal): Promise<Response> {
    let url = new URL(this.options.location);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const response = await this.#get(url, conditions, signal);
      const target = response.headers.get('Location');
      if (!REDIRECTS.includes(response.status) || target === null) return response;
      await response.body?.cancel();
      url = new URL(target, url);
      if (!isWebAddress(url.href)) throw new Error('redirected to an address that is neither http nor https');
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects`);
  }

  /** The answer of one address. Only the configured host gets the credentials. */
  async #get(url: URL, conditions: FeedConditions, signal: AbortSignal): Promise<Response> {
    const { fetch } = await import('undici');
    const { location, discoveredFrom = location, rule, chosenBy } = this.options;
    const configured = URL.canParse(discoveredFrom) ? new URL(discoveredFrom) : undefined;
    const isConfigured = configured !== undefined && url.origin === configured.origin;
    const trusted = (isConfigured && chosenBy === 'operator') || rule.allowsName(url.hostname);
    if (!trusted) rule.check(url);
    const headers = { ...(isConfigured ? this.#credentials(configured) : {}), ...conditionHeaders(conditions) };
    const dispatcher = trusted ? {} : { dispatcher: await limitedTo(rule) };
    return fetch(withoutUser(url), { headers, signal, redirect: 'manual', ...dispatcher });
  }

  #credentials({ username, password }: URL): Record<string, string> {
    const { headers = {} } = this.options;
    if (username === '' && password === '') return headers;
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { Authorization: `Basic ${Buffer.from(user).toString('base64')}`, ...headers };
  }

  async #read(): Promise<Uint8Array | undefined> {
    const { location, discoveredFrom, directory, chosenBy, maxBytes = MAX_BYTES } = this.options;
    if (chosenBy !== 'operator' || discoveredFrom !== undefined)
      throw new ForbiddenAddress('only http and https addresses are read');
    const path = location.startsWith('file:') ? fileURLToPath(location) : resolve(directory, location);
    // Opened without blocking: opening a pipe would wait for a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw new Error('not a regular file');
      const modified = `${stats.mtimeMs}/${stats.size}`;
      if (modified === this.#modified) return undefined;
      const content = await readLimited(file.createReadStream({ autoClose: false }), maxBytes);
      this.#modified = modified;
      return content;
    } finally {
      await file.close();
    }
  }
}

function conditionHeaders({ etag, modified }: FeedConditions): Record<string, string> {
  return {
    ...(etag === undefined ? {} : { 'If-None-Match': etag }),
    ...(modified === undefined ? {} : { 'If-Modified-Since': modified }),
  };
}

/** Makes requests only to addresses that the rule allows; each rule has its own pool of connections. */
async function limitedTo(rule: AddressRule): Promise<Dispatcher> {
  let dispatcher = DISPATCHERS.get(rule);
  if (dispatcher === undefined) {
    const { Agent } = await import('undici');
    dispatcher = new Agent({ connect: { lookup: rule.lookup } });
    DISPATCHERS.set(rule, dispatcher);
  }
  return dispatcher;
}

const DISPATCHERS = new WeakMap<AddressRule, Dispatcher>();

/** User and password are sent in a header, because requests refuse addresses that contain them. */
function withoutUser(url: URL): URL {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain;
}

/** Reads chunk by chunk, and stops as soon as there is too much. */
async function readLimited(chunks: AsyncIterable<Uint8Array> | [], maxBytes: number): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.byteLength;
    if (total > maxBytes) throw new Error(`larger than ${maxBytes} bytes`);
    read.push(chunk);
  }
  return Buffer.concat(read);
}
