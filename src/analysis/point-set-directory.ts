/** The point sets in a directory: read when they are asked for, and again when their files change. */

import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type PointSet, parsePointSet } from './point-set.js';

/** A set and whether its file is still the one that was read. */
interface Kept {
  readonly stamp: string;
  readonly set: PointSet;
}

/** Sets kept in memory. */
const KEPT_SETS = 100;

const EXTENSIONS = ['.csv', '.json', '.geojson'];

/** Ids that are file names and nothing else. */
const LEGAL_ID = /^[\p{L}\p{N}_-][\p{L}\p{N}_. -]{0,127}$/u;

/** Point sets by id: the name of a file without its extension. */
export class PointSetDirectory {
  readonly #kept = new Map<string, Kept>();

  constructor(private readonly directory: string) {}

  /** Ids of all sets, in alphabetical order. */
  async list(): Promise<string[]> {
    return (await this.#files()).map((file) => path.parse(file).name);
  }

  /** The set with this id, else the first one whose name starts with it. Throws `PointSetError` for a broken file. */
  async find(id: string): Promise<PointSet | undefined> {
    const wanted = id.toLowerCase();
    const names = (await this.#files()).map((file) => ({ file, name: path.parse(file).name.toLowerCase() }));
    const found = names.find(({ name }) => name === wanted) ?? names.find(({ name }) => name.startsWith(wanted));
    return found === undefined ? undefined : this.#read(found.file);
  }

  /** Stores a set; it is readable at once and in whole. Returns whether there was none of this id. */
  async store(id: string, extension: 'csv' | 'json', content: string): Promise<boolean> {
    const existing = await this.#fileOf(id);
    const file = path.join(this.directory, `${id}.${extension}`);
    const temporary = `${file}.${process.pid}.tmp`;
    await writeFile(temporary, content);
    await rename(temporary, file);
    if (existing !== undefined && existing !== `${id}.${extension}`) await rm(path.join(this.directory, existing));
    return existing === undefined;
  }

  /** Removes a set; whether there was one. */
  async remove(id: string): Promise<boolean> {
    const file = await this.#fileOf(id);
    if (file === undefined) return false;
    await rm(path.join(this.directory, file));
    this.#kept.delete(file);
    return true;
  }

  /** Whether a set may have this id. */
  static isLegalId(id: string): boolean {
    return LEGAL_ID.test(id);
  }

  async #fileOf(id: string): Promise<string | undefined> {
    return (await this.#files()).find((file) => path.parse(file).name === id);
  }

  async #files(): Promise<string[]> {
    const names = await readdir(this.directory).catch(() => [] as string[]);
    return names.filter((name) => EXTENSIONS.includes(path.extname(name).toLowerCase())).sort();
  }

  async #read(file: string): Promise<PointSet> {
    const whole = path.join(this.directory, file);
    const { mtimeMs, size, ino } = await stat(whole);
    const stamp = `${mtimeMs}:${size}:${ino}`;
    const kept = this.#kept.get(file);
    if (kept?.stamp === stamp) return kept.set;
    const set = parsePointSet(file, await readFile(whole, 'utf8'));
    this.#kept.delete(file);
    this.#kept.set(file, { stamp, set });
    for (const name of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_SETS) break;
      this.#kept.delete(name);
    }
    return set;
  }
}
