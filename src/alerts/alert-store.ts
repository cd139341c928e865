/** Alerts that were sent to the server, for all its routers. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { AlertPatch } from '../native/types.js';

type Listener = (patches: readonly AlertPatch[]) => void;

/** Tells the other serving processes about alerts that this one was sent; resolves when they have them. */
export type TellOthers = (patches: readonly AlertPatch[]) => Promise<void>;

/** Keeps alerts by id, and in a file when there is one. */
export class AlertStore {
  readonly #patches = new Map<string, AlertPatch>();
  readonly #listeners: Listener[] = [];
  #writing: Promise<void> = Promise.resolve();
  #tellOthers: TellOthers = async () => {};

  /** `file` holds the alerts over restarts; a file that is missing is an empty one. */
  constructor(private readonly file?: string) {
    if (file === undefined) return;
    for (const patch of readPatches(file)) this.#patches.set(patch.id, patch);
  }

  list(): AlertPatch[] {
    return [...this.#patches.values()];
  }

  /** Adds alerts, or replaces those of the same id. Resolves when they are kept. */
  async put(patches: readonly AlertPatch[]): Promise<void> {
    this.take(patches);
    await this.#save(this.list());
    await this.#tellOthers(this.list());
  }

  /** Adds alerts that another process has been sent, and keeps. */
  take(patches: readonly AlertPatch[]): void {
    for (const patch of patches) this.#patches.set(patch.id, patch);
    const all = this.list();
    for (const listener of this.#listeners) listener(all);
  }

  /** There are other processes: `tell` is called with all alerts after every change. */
  shareWith(tell: TellOthers): void {
    this.#tellOthers = tell;
  }

  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** One after the other, and always a complete file. */
  #save(all: readonly AlertPatch[]): Promise<void> {
    const { file } = this;
    if (file === undefined) return Promise.resolve();
    const unfinished = `${file}.${randomUUID()}`;
    const saved = this.#writing.then(async () => {
      await writeFile(unfinished, JSON.stringify(all));
      await rename(unfinished, file);
    });
    this.#writing = saved.catch(() => {});
    return saved;
  }
}

function readPatches(file: string): AlertPatch[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Error(`${file}: the alerts cannot be read (${(error as Error).message})`);
  }
}
