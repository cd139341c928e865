/**
 * Published graphs on this machine: one file for each, named by the hash of its content, complete and checked. The
 * files are never written to again, so a router's graph is a second name (hard link) of one of them.
 */

import { createHash } from 'node:crypto';
import { link, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from '../storage/directory.js';
import { fileSha256 } from '../storage/file-hash.js';
import { replaceContent } from '../storage/unfinished.js';
import type { Manifest } from './documents.js';
import { PublishingError } from './publishing-error.js';

/** Name of the directory in the cache; no router can have it. */
const OBJECT_DIRECTORY = '.objects';

/** Sends the bytes of a graph to `take`, in order. */
export type Download = (take: (chunk: Buffer) => Promise<void>) => Promise<void>;

interface CachedFile {
  readonly name: string;
  readonly bytes: number;
  /** Whether the file has another name, in a router's directory or in that of a serving process. */
  readonly used: boolean;
  /** When it last got or lost a name, epoch milliseconds. */
  readonly lastUse: number;
}

/** The cached files, whose total size stays below a limit. */
export class GraphCache {
  readonly #directory: string;
  /** Files whose content was found to be right, each with its `state` at that moment. */
  readonly #checked = new Map<string, string>();

  /** `graphs` is the directory of the routers, `maxBytes` the limit. */
  constructor(
    graphs: string,
    private readonly maxBytes: number,
  ) {
    this.#directory = path.join(graphs, OBJECT_DIRECTORY);
  }

  /** The file of a graph; it may be missing. */
  file(sha256: string): string {
    return path.join(this.#directory, `${sha256}.obj`);
  }

  /** Whether a graph is there with the right content, which is read once. A damaged file is removed. */
  async holds(sha256: string): Promise<boolean> {
    const file = this.file(sha256);
    const present = await state(file);
    if (present === undefined) return false;
    if (this.#checked.get(sha256) === present) return true;
    if ((await fileSha256(file)) === sha256) {
      this.#checked.set(sha256, present);
      return true;
    }
    await rm(file, { force: true });
    return false;
  }

  /**
   * Adds a graph if it is missing. Rejects with `OBJECT_DAMAGED` when the bytes are not those of the manifest, with
   * `CACHE_FULL` when there is no room for it, and with what `download` threw; then nothing is left behind.
   */
  async add(manifest: Manifest, download: Download): Promise<void> {
    const { sha256, bytes, buildTime } = manifest;
    if (await this.holds(sha256)) return;
    await makeDirectory(this.#directory);
    await this.#makeRoom(bytes);
    const file = this.file(sha256);
    await replaceContent(file, async (unfinished) => {
      const found = await receive(unfinished, download);
      if (found !== sha256) throw damaged(sha256, found);
      // Clients see the time of the file as the build time. Half a millisecond makes up for the rounding.
      const seconds = (Math.floor(buildTime) + 0.5) / 1000;
      await utimes(unfinished, seconds, seconds);
    });
    const present = await state(file);
    if (present !== undefined) this.#checked.set(sha256, present);
  }

  /** Makes `target` another name of a graph; a file that had that name is replaced. */
  async linkTo(sha256: string, target: string): Promise<void> {
    await replaceContent(target, (name) => link(this.file(sha256), name));
  }

  /**
   * Removes graphs that nothing uses, the least recently used first. If that would not make enough room, removes none.
   */
  async #makeRoom(bytes: number): Promise<void> {
    const files = await this.#files();
    const inUse = bytes + sumOf(files.filter(({ used }) => used));
    if (inUse > this.maxBytes) {
      const message = `a graph of ${bytes} bytes does not fit into the cache: with the graphs in use it would have ${inUse}, more than maxCacheBytes (${this.maxBytes})`;
      throw new PublishingError('CACHE_FULL', message);
    }
    let sum = bytes + sumOf(files);
    const unused = files.filter(({ used }) => !used).sort((a, b) => a.lastUse - b.lastUse);
    for (const { name, bytes: freed } of unused) {
      if (sum <= this.maxBytes) return;
      await rm(path.join(this.#directory, name), { force: true });
      sum -= freed;
    }
  }

  async #files(): Promise<CachedFile[]> {
    const files: CachedFile[] = [];
    for (const name of await readdir(this.#directory).catch(() => [])) {
      const found = await stat(path.join(this.#directory, name)).catch(() => undefined);
      if (found === undefined) continue;
      // A file that is being received has a name that begins with a dot.
      const used = found.nlink > 1 || name.startsWith('.');
      files.push({ name, bytes: found.size, used, lastUse: found.ctimeMs });
    }
    return files;
  }
}

function sumOf(files: readonly CachedFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Writes a download to a new file, waits until it is on the disk, and returns the hash of its bytes. */
async function receive(file: string, download: Download): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(file, 'wx');
  try {
    await download(async (chunk) => {
      hash.update(chunk);
      await handle.writeFile(chunk);
    });
    await handle.sync();
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}

/** A text that changes with the content of the file, but not when the file gets or loses a name. */
async function state(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? undefined : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

function damaged(sha256: string, found: string): PublishingError {
  return new PublishingError('OBJECT_DAMAGED', `the file of graph ${sha256} does not match this hash: it has ${found}`);
}
