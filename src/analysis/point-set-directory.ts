/** The point sets in a directory: read at first use, and again when their files change. */

import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { Queues } from '../queues.js';
import type { FilesHere, SharedFiles } from '../sharing/shared-files.js';
import { makeDirectory } from '../storage/directory.js';
import { fitsFileName } from '../storage/file-name.js';
import { openFileStream } from '../storage/file-stream.js';
import { renameOver } from '../storage/rename-over.js';
import { unfinishedName } from '../storage/unfinished.js';
import { type PointSet, PointSetError } from './point-set.js';
import { filesOf, POINT_SET_EXTENSIONS, readPointSet } from './point-set-file.js';

/** A set that is being read or was read, and a tag that changes with its file. */
interface Kept {
  readonly version: string;
  readonly reading: Promise<PointSet>;
  /** Number of features; 0 while it is being read. */
  size: number;
}

/** Most sets kept in memory, and most features of all of them together. The last set that was used is always kept. */
const KEPT_SETS = 100;
const KEPT_FEATURES = 3_000_000;

/** How often to look for a set again if its file disappears after the list of files was read. */
const LOOKS = 10;

/** Ids that are plain file names. */
const LEGAL_ID = /^[\p{L}\p{N}_-][\p{L}\p{N}_. -]{0,127}$/u;

/** Point sets by id: the name of a file without its extension. */
export class PointSetDirectory {
  readonly #kept = new Map<string, Kept>();
  #shared: SharedFiles | undefined;

  /** `withLock` runs work while nobody else puts or removes files here. */
  constructor(
    private readonly directory: string,
    private readonly withLock: FilesHere['withLock'] = oneByOne(),
  ) {}

  /** Shares the sets that clients store and remove with all hosts. */
  shareAs(share: (here: Omit<FilesHere, 'withLock'>) => SharedFiles): void {
    this.#shared = share({
      fileOf: (id) => this.#pathOf(id),
      replace: async (id, extension, write) => {
        // Id and extension may come from a host with other rules, or from somebody who writes into the shared state.
        if (!PointSetDirectory.isLegalId(id) || !isExtension(`.${extension}`)) return false;
        await this.#put(id, extension, write, (_, place) => place());
        return true;
      },
      remove: (id) => this.#removeHere(id),
    });
  }

  /** Ids of all sets, in alphabetical order. */
  async list(): Promise<string[]> {
    await this.#shared?.settled();
    return [...new Set((await this.#files()).map(nameOf))];
  }

  /**
   * The set with this id, else the first one with this id in other letters, else the first one whose name starts with
   * it. Throws `PointSetError` for a broken file.
   */
  async find(id: string): Promise<PointSet | undefined> {
    await this.#shared?.settled();
    let failure: unknown;
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const file = fileFor(id, await this.#files());
      if (file === undefined) return undefined;
      try {
        return await this.#read(file);
      } catch (error) {
        // A broken file is still there. Any other one has been removed since, or replaced by one of another format.
        if (error instanceof PointSetError && (await this.#has(file))) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /**
   * Stores a file as a set if it can be read as one. The set appears at once and complete. `write` fills the file that
   * it is given and closes it. Returns whether the id is new. Throws `PointSetError` for a file that is not a point
   * set.
   */
  async store(
    id: string,
    extension: 'csv' | 'json' | 'zip',
    write: (file: Writable) => Promise<void>,
  ): Promise<boolean> {
    const fill = async (file: string) => write(await openFileStream(file));
    let digest: string | undefined;
    const isNew = await this.#put(id, extension, fill, async (file, place) => {
      digest = await this.#shared?.prepare(file);
      return this.withLock(place);
    });
    if (digest !== undefined) await this.#shared?.announce(id, digest, extension);
    return isNew;
  }

  /** Removes a set; returns whether there was one. */
  async remove(id: string): Promise<boolean> {
    return this.#shared === undefined ? this.withLock(() => this.#removeHere(id)) : this.#shared.remove(id);
  }

  /**
   * Writes and checks a file under a name of its own, and passes it to `placing`, which calls `place` to give it its
   * final name while nobody else puts or removes files. Returns whether the id is new.
   */
  async #put(
    id: string,
    extension: string,
    write: (file: string) => Promise<void>,
    placing: (file: string, place: () => Promise<boolean>) => Promise<boolean>,
  ): Promise<boolean> {
    const spooled = unfinishedName(path.join(this.directory, id), `.${extension}`);
    try {
      await makeDirectory(this.directory);
      await write(spooled);
      const set = await readPointSet(spooled);
      return await placing(spooled, () => this.#place(id, spooled, set));
    } finally {
      await rm(spooled, { force: true });
    }
  }

  async #place(id: string, spooled: string, set: PointSet): Promise<boolean> {
    const existing = await this.#fileOf(id);
    const name = id + path.extname(spooled);
    await renameOver(spooled, path.join(this.directory, name));
    if (existing !== undefined && existing !== name) await this.#erase(existing);
    const version = await versionOf(path.join(this.directory, name));
    this.#keep(name, { version, reading: Promise.resolve(set), size: set.size });
    return existing === undefined;
  }

  async #removeHere(id: string): Promise<boolean> {
    const file = await this.#fileOf(id);
    if (file === undefined) return false;
    await this.#erase(file);
    return true;
  }

  async #pathOf(id: string): Promise<string | undefined> {
    const file = await this.#fileOf(id);
    return file && path.join(this.directory, file);
  }

  async #erase(file: string): Promise<void> {
    this.#kept.delete(file);
    for (const part of filesOf(path.join(this.directory, file))) await rm(part, { force: true });
  }

  /** Whether a set may have this id. */
  static isLegalId(id: string): boolean {
    return fitsFileName(id) && LEGAL_ID.test(id);
  }

  async #fileOf(id: string): Promise<string | undefined> {
    return (await this.#files()).find((file) => nameOf(file) === id);
  }

  async #has(file: string): Promise<boolean> {
    return (await this.#files()).includes(file);
  }

  async #files(): Promise<string[]> {
    const names = await readdir(this.directory).catch(() => [] as string[]);
    return names.filter((name) => !name.startsWith('.') && isExtension(path.extname(name).toLowerCase())).sort();
  }

  async #read(file: string): Promise<PointSet> {
    const whole = path.join(this.directory, file);
    const version = await versionOf(whole);
    const known = this.#kept.get(file);
    const kept = known?.version === version ? known : { version, reading: readPointSet(whole), size: 0 };
    this.#keep(file, kept);
    try {
      const set = await kept.reading;
      kept.size = set.size;
      this.#giveUpLeastUsed();
      return set;
    } catch (error) {
      if (this.#kept.get(file) === kept) this.#kept.delete(file);
      throw error;
    }
  }

  /** Marks a set as the last one used. */
  #keep(file: string, kept: Kept): void {
    this.#kept.delete(file);
    this.#kept.set(file, kept);
    this.#giveUpLeastUsed();
  }

  #giveUpLeastUsed(): void {
    let features = 0;
    for (const [i, [file, { size }]] of [...this.#kept].reverse().entries()) {
      features += size;
      if (i > 0 && (i >= KEPT_SETS || features > KEPT_FEATURES)) this.#kept.delete(file);
    }
  }
}

/** Runs the work of this process one after the other. */
function oneByOne(): FilesHere['withLock'] {
  const queues = new Queues();
  return (work) => queues.take('files', work);
}

function nameOf(file: string): string {
  return path.parse(file).name;
}

/** The file of the set that an id means. */
function fileFor(id: string, files: readonly string[]): string | undefined {
  const wanted = id.toLowerCase();
  const lower = (file: string) => nameOf(file).toLowerCase();
  return (
    files.find((file) => nameOf(file) === id) ??
    files.find((file) => lower(file) === wanted) ??
    files.find((file) => lower(file).startsWith(wanted))
  );
}

/** A text that changes when one of the files of a set does. */
async function versionOf(file: string): Promise<string> {
  const stats = await Promise.all(filesOf(file).map((part) => stat(part).catch(() => undefined)));
  return stats.map((found) => (found ? `${found.mtimeMs}:${found.size}:${found.ino}` : '')).join(' ');
}

function isExtension(extension: string): boolean {
  return (POINT_SET_EXTENSIONS as readonly string[]).includes(extension);
}
