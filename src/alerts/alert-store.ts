/** Alerts that were sent to the server, for all its routers. */

import { readFileSync } from 'node:fs';
import type { AlertPatch } from '../native/types.js';
import { replaceText } from '../storage/unfinished.js';

type Listener = (patches: readonly AlertPatch[]) => Promise<void>;

/**
 * Makes a change of the alerts when no other process makes one; `change` resolves with all alerts after it, and every
 * process has these when the whole resolves.
 */
export type ChangeTogether = (change: () => Promise<readonly AlertPatch[]>) => Promise<void>;

/** Keeps alerts by id, and in a file when there is one. */
export class AlertStore {
  readonly #patches = new Map<string, AlertPatch>();
  readonly #listeners: Listener[] = [];
  #changes: Promise<void> = Promise.resolve();
  #changeTogether: ChangeTogether = async (change) => void (await change());

  /** `file` holds the alerts over restarts; a file that is missing is an empty one. */
  constructor(private readonly file?: string) {
    if (file === undefined) return;
    for (const patch of readPatches(file)) this.#patches.set(patch.id, patch);
  }

  list(): AlertPatch[] {
    return [...this.#patches.values()];
  }

  /** Adds alerts, or replaces those of the same id. Resolves when they are kept and shown; one change comes after the other. */
  put(patches: readonly AlertPatch[]): Promise<void> {
    const change = async () => {
      // First on disk: what could not be kept was not accepted, and must not be shown.
      const all = [...merged(this.#patches, patches).values()];
      if (this.file !== undefined) await replaceText(this.file, JSON.stringify(all));
      await this.take(patches);
      return all;
    };
    const made = this.#changes.then(() => this.#changeTogether(change));
    this.#changes = made.catch(() => {});
    return made;
  }

  /** Adds alerts that another process has been sent, and keeps. Resolves when they are shown. */
  async take(patches: readonly AlertPatch[]): Promise<void> {
    for (const patch of patches) this.#patches.set(patch.id, patch);
    const all = this.list();
    await Promise.all(this.#listeners.map((listener) => listener(all)));
  }

  /** There are other processes: every change is made by way of `changeTogether`. */
  shareWith(changeTogether: ChangeTogether): void {
    this.#changeTogether = changeTogether;
  }

  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }
}

/** Alerts by id after some were added, or replaced those of their id. */
function merged(known: ReadonlyMap<string, AlertPatch>, added: readonly AlertPatch[]): Map<string, AlertPatch> {
  return new Map([...known, ...added.map((patch) => [patch.id, patch] as const)]);
}

function readPatches(file: string): AlertPatch[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Error(`${file}: the alerts cannot be read (${(error as Error).message})`);
  }
}
