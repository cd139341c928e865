/** The scenarios of a graph: one file each in a directory beside the graph file, so that all processes agree. */

import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from '../storage/directory.js';
import { fitsFileName } from '../storage/file-name.js';
import { replaceContent } from '../storage/unfinished.js';
import { unlessMissing } from '../storage/unless-missing.js';
import { readScenario, type Scenario, UnusableScenario } from './scenario.js';

/** Most scenarios of one graph. */
const MAX_SCENARIOS = 100;

/** Longest text of a scenario, bytes. */
export const MAX_SCENARIO_BYTES = 256 * 1024;

const EXTENSION = '.json';

export interface StoredScenario {
  readonly id: string;
  readonly digest: string;
  readonly scenario: Scenario;
}

/** Letters, digits, `_`, `-` and inner `.`: it names a file. */
export function isLegalScenarioId(id: string): boolean {
  return fitsFileName(id) && /^[\p{L}\p{N}_-][\p{L}\p{N}_.-]{0,63}$/u.test(id);
}

/** A digest that differs between different texts. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** The limit on the number of scenarios is reached. */
export class TooManyScenarios extends Error {}

/** The scenarios in one directory. */
export class ScenarioStore {
  /** Parsed scenarios, reused while their files do not change. */
  readonly #read = new Map<string, { version: string; stored: StoredScenario }>();

  constructor(private readonly directory: string) {}

  /** Ids in alphabetical order. */
  async ids(): Promise<string[]> {
    const names = await readdir(this.directory).catch(() => []);
    const ids = names.filter((name) => name.endsWith(EXTENSION)).map((name) => name.slice(0, -EXTENSION.length));
    return ids.filter(isLegalScenarioId).sort();
  }

  /** Undefined when there is none. Throws `UnusableScenario` for a file that was damaged by hand. */
  async get(id: string): Promise<StoredScenario | undefined> {
    if (!isLegalScenarioId(id)) return undefined;
    const found = await stat(this.#file(id), { bigint: true }).catch(() => undefined);
    if (found === undefined) return this.#none(id);
    const version = `${found.ino}.${found.mtimeNs}.${found.size}`;
    const known = this.#read.get(id);
    if (known?.version === version) return known.stored;
    if (found.size > MAX_SCENARIO_BYTES) throw new UnusableScenario(`is larger than ${MAX_SCENARIO_BYTES} bytes`);
    // It may have been removed since.
    const text = await readFile(this.#file(id), 'utf8').catch(unlessMissing);
    if (text === undefined) return this.#none(id);
    const stored = { id, digest: digestOf(text), scenario: readScenario(text) };
    this.#read.set(id, { version, stored });
    return stored;
  }

  #none(id: string): undefined {
    this.#read.delete(id);
  }

  /** The text of a scenario that `get` finds; undefined when there is none. */
  async text(id: string): Promise<string | undefined> {
    if (!isLegalScenarioId(id)) return undefined;
    return readFile(this.#file(id), 'utf8').catch(() => undefined);
  }

  /** Writes a text that `readScenario` accepts; true when the scenario is new. Throws `TooManyScenarios`. */
  async put(id: string, text: string): Promise<boolean> {
    await makeDirectory(this.directory);
    const ids = await this.ids();
    const fresh = !ids.includes(id);
    if (fresh && ids.length >= MAX_SCENARIOS) throw new TooManyScenarios(`more than ${MAX_SCENARIOS} scenarios`);
    await replaceContent(this.#file(id), text);
    return fresh;
  }

  /** Stores a text without checking it or the number of scenarios; `write` fills the file that it is given. */
  async replace(id: string, write: (file: string) => Promise<void>): Promise<void> {
    await makeDirectory(this.directory);
    await replaceContent(this.#file(id), write);
  }

  /** The file of a scenario, if there is one. */
  async fileOf(id: string): Promise<string | undefined> {
    return (await this.ids()).includes(id) ? this.#file(id) : undefined;
  }

  /** Returns whether there was one. */
  async remove(id: string): Promise<boolean> {
    if ((await this.get(id).catch(() => true)) === undefined) return false;
    await rm(this.#file(id), { force: true });
    this.#read.delete(id);
    return true;
  }

  #file(id: string): string {
    return path.join(this.directory, `${id}${EXTENSION}`);
  }
}
