/**
 * Files that a server makes while it runs: uploads in progress, copies of the graphs that it serves, what its processes
 * share. They are beside the graphs, on the same file system, so that a finished graph can be renamed into place. Each
 * server has a folder of its own, because several may use the same graphs.
 */

import { randomUUID } from 'node:crypto';
import { readdir, rm, rmdir, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { makeDirectory } from '../storage/directory.js';
import { openFileStream } from '../storage/file-stream.js';
import { removeIfPossible } from '../storage/unfinished.js';
import { unlessMissing } from '../storage/unless-missing.js';
import { tooLarge, writeBody } from '../storage/write-body.js';
import {
  HEARTBEAT_MS,
  isOrphaned,
  isProcessAlive,
  PLACE,
  SILENT_MS,
  WRITER_PATTERN,
  writerIn,
} from '../storage/writer.js';

/** Name of the spool in the graphs directory; no router can have it. */
export const SPOOL_DIRECTORY = '.spool';

/** Names of the folders of servers. */
const NAME = new RegExp(`^${WRITER_PATTERN}$`);

/** Makes the files and directories of a server, and removes them. */
export class Spool {
  /** The folder of this server. */
  readonly directory: string;
  readonly #all: string;
  #heartbeat: NodeJS.Timeout | undefined;

  /** `pid` is the process that stands for the server: the supervisor, if there is one. */
  constructor(
    graphs: string,
    private readonly maxBytes: number,
    pid: number = process.pid,
  ) {
    this.#all = path.join(graphs, SPOOL_DIRECTORY);
    this.directory = path.join(this.#all, `${pid}-${PLACE}`);
  }

  /**
   * Begins to show others that this server runs, and removes what ended ones have left. Resolves when this is done for
   * the servers of this place; others are watched for `silentMs` first, for which it does not wait.
   */
  async open(silentMs = SILENT_MS): Promise<void> {
    // The time of its folder shows that a server runs.
    this.#heartbeat = setInterval(() => void touch(this.directory), HEARTBEAT_MS).unref();
    const watched = new Map<string, number | undefined>();
    for (const name of await readdir(this.#all).catch(() => [])) {
      const folder = path.join(this.#all, name);
      const server = writerIn(NAME.exec(name));
      if (server === undefined) await removeIfPossible(folder);
      else if (server.place !== PLACE) watched.set(folder, await changed(folder));
      // This process has made no file yet: one with its number was an earlier process.
      else if (await isOrphaned(folder, server)) await removeFiles(folder, isEnded([server.pid, process.pid]));
    }
    // One process looks at the folder twice, so its clock need not agree with those of others.
    if (watched.size > 0) setTimeout(() => void removeUnchanged(watched), silentMs).unref();
  }

  /** An unused path that ends in `suffix` and begins with the number of this process. */
  async reserve(suffix: string): Promise<string> {
    await makeDirectory(this.directory);
    return path.join(this.directory, `${process.pid}-${randomUUID()}${suffix}`);
  }

  /** Removes what an ended process of this server has left, except files that are still `used`. */
  async clearAfter(pid: number, used: readonly string[]): Promise<void> {
    const kept = new Set(used.map((file) => path.parse(file).name));
    const isLeft = (maker: number, name: string) => maker === pid && !kept.has(path.parse(name).name);
    await removeFiles(this.directory, isLeft);
  }

  /** Removes the folder when the server has ended; with `pids`, only what these and ended processes have left. */
  async close(pids?: readonly number[]): Promise<void> {
    clearInterval(this.#heartbeat);
    if (pids === undefined) await removeIfPossible(this.directory);
    else await removeFiles(this.directory, isEnded(pids));
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

/** When something in a folder, or its time, was changed. */
async function changed(folder: string): Promise<number | undefined> {
  return (await stat(folder).catch(unlessMissing))?.mtimeMs;
}

async function removeUnchanged(watched: ReadonlyMap<string, number | undefined>): Promise<void> {
  for (const [folder, before] of watched) {
    if ((await changed(folder).catch(() => undefined)) === before) await removeIfPossible(folder);
  }
}

async function touch(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now).catch(() => {});
}

/** Whether the process that made a file has ended: one of these, or any that is not running. */
function isEnded(pids: readonly number[]): (maker: number) => boolean {
  return (maker) => pids.includes(maker) || !isProcessAlive(maker);
}

/** Removes some files of a folder, and the folder if none is left. */
async function removeFiles(folder: string, isLeft: (maker: number, name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (isLeft(Number.parseInt(name, 10), name)) await removeIfPossible(path.join(folder, name));
  }
  await rmdir(folder).catch(() => {});
}
