/** Files of jobs in an object store. */

import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { connectedOnce, type ObjectStore } from '../publishing/object-store.js';
import { makeTemporary } from '../storage/unfinished.js';
import { isLegalJobId } from './job.js';
import { FILES, type FileDigest, type JobFiles, type JobPlace } from './job-files.js';

const REMOVED_AT_ONCE = 16;

/** The files of one job, whose keys begin with `start`. */
class ObjectFiles implements JobFiles {
  readonly address: string;

  constructor(
    private readonly store: ObjectStore,
    private readonly start: string,
  ) {
    this.address = store.address(start).replace(/\/$/, '');
  }

  async readText(name: string): Promise<string | undefined> {
    const found = await this.store.read(this.start + name);
    return typeof found === 'object' ? found.text : undefined;
  }

  write(name: string, content: string | Uint8Array): Promise<void> {
    return this.store.put(this.start + name, content);
  }

  async digest(name: string): Promise<FileDigest | undefined> {
    const bytes = await this.store.size(this.start + name);
    if (bytes === undefined) return undefined;
    const hash = createHash('sha256');
    await this.store.download(this.start + name, bytes, async (chunk) => void hash.update(chunk));
    return { bytes, sha256: hash.digest('hex') };
  }

  async list(start: string): Promise<string[]> {
    const keys = await this.store.list(this.start + start);
    return keys.map((key) => key.slice(this.start.length));
  }

  remove(name: string): Promise<void> {
    return this.store.remove(this.start + name);
  }

  /** The store never shows an unfinished object. */
  async tidy(): Promise<void> {}

  async withLocalFile<T>(name: string, work: (file: string) => Promise<T>): Promise<T> {
    const directory = await makeTemporary();
    try {
      const file = path.join(directory, path.posix.basename(name));
      const bytes = await this.store.size(this.start + name);
      const handle = await open(file, 'wx');
      try {
        await this.store.download(this.start + name, bytes ?? 0, (chunk) => handle.writeFile(chunk));
      } finally {
        await handle.close();
      }
      return await work(file);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
}

/** Jobs below an address. */
export class ObjectPlace implements JobPlace {
  readonly #connected: () => Promise<ObjectStore>;

  /** `connect` is called at the first use. */
  constructor(connect: () => Promise<ObjectStore>) {
    this.#connected = connectedOnce(connect);
  }

  async ids(): Promise<string[]> {
    const ids = (await (await this.#connected()).folders('')).filter(isLegalJobId);
    const sizes = await Promise.all(ids.map(async (id) => (await this.#connected()).size(`${id}/${FILES.job}`)));
    return ids.filter((_, i) => sizes[i] !== undefined);
  }

  async files(id: string): Promise<JobFiles> {
    return new ObjectFiles(await this.#connected(), `${id}/`);
  }

  async remove(id: string): Promise<void> {
    const store = await this.#connected();
    // Removed first: without this file, the others are no longer a job.
    await store.remove(`${id}/${FILES.job}`);
    const keys = await store.list(`${id}/`);
    for (let at = 0; at < keys.length; at += REMOVED_AT_ONCE) {
      await Promise.all(keys.slice(at, at + REMOVED_AT_ONCE).map((key) => store.remove(key)));
    }
  }
}
