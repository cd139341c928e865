/**
 * Uploads in progress: streamed to a directory beside the graphs (on the same file system, so that a finished graph can
 * be renamed into place), limited in size, and removed when the server starts again.
 */

import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { makeDirectory } from '../storage/directory.js';
import { openFileStream } from '../storage/file-stream.js';
import { isOrphaned } from '../storage/unfinished.js';
import { tooLarge, writeBody } from '../storage/write-body.js';

/** Name of the spool in the graphs directory; no router can have it. */
export const SPOOL_DIRECTORY = '.spool';

/** Makes files and directories for uploads. */
export class Spool {
  readonly directory: string;

  constructor(
    graphs: string,
    private readonly maxBytes: number,
  ) {
    this.directory = path.join(graphs, SPOOL_DIRECTORY);
  }

  /** Removes what ended processes have left, when a server starts and when its serving processes have ended. */
  async clear(): Promise<void> {
    for (const name of await readdir(this.directory).catch(() => [])) {
      const file = path.join(this.directory, name);
      const maker = /^(\d+)-/.exec(name)?.[1];
      if (maker === undefined || (await isOrphaned(file, Number(maker))))
        await rm(file, { recursive: true, force: true });
    }
  }

  /** An unused path that ends in `suffix` and begins with the number of this process. */
  async reserve(suffix: string): Promise<string> {
    await makeDirectory(this.directory);
    return path.join(this.directory, `${process.pid}-${randomUUID()}${suffix}`);
  }

  /** Removes what an ended process has left, except files that are still `used`. */
  async clearAfter(pid: number, used: readonly string[]): Promise<void> {
    const kept = new Set(used.map((file) => path.parse(file).name));
    for (const name of await readdir(this.directory).catch(() => [])) {
      if (!name.startsWith(`${pid}-`) || kept.has(path.parse(name).name)) continue;
      await rm(path.join(this.directory, name), { recursive: true, force: true });
    }
  }

  /**
   * Writes a body to a new file. `declaredBytes` is the Content-Length, if any. Throws an `HttpError` 413 above the
   * limit, 400 when the client stops before the end; the file is removed then.
   */
  async receive(body: Readable, declaredBytes: number | undefined, suffix: string): Promise<string> {
    if (declaredBytes !== undefined && declaredBytes > this.maxBytes) throw tooLarge(this.maxBytes);
    const file = await this.reserve(suffix);
    try {
      await writeBody(body, await openFileStream(file), this.maxBytes);
      return file;
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
  }
}
