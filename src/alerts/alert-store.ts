/** Alerts that were sent to the server, for all its routers. */

import { readFileSync } from 'node:fs';
import type { AlertPatch } from '../native/types.js';
import { replaceText } from '../storage/unfinished.js';

type Listener = (patches: readonly AlertPatch[]) => Promise<void>;

/**
 * Makes a change of the alerts while no other process makes one. `change` resolves with all alerts after it; the whole
 * resolves when every process has them.
 */
export type ChangeTogether = (change: () => Promise<readonly AlertPatch[]>) => Promise<void>;

/** Keeps alerts by id, and in a file when there is one. */
export class AlertStore {
  readonly #patches = new Map<string, AlertPatch>();
  readonly #listeners: Listener[] = [];
  #changes: Promise<void> = Promise.resolve();
  #changeTogether: ChangeTogether = async (change) => void (await change());

  /** `file` keeps the alerts over restarts; a missing file counts as empty. */
  constructor(private readonly file?: string) {
    if (file === undefined) return;
    for (const patch of readPatches(file)) this.#patches.set(patch.id, patch);
  }

  list(): AlertPatch[] {
    return [...this.#patches.values()];
  }

  /**
   * Adds alerts, or replaces those of the same id. Resolves when they are saved and shown. Changes are made one after
   * the other.
   */
  put(patches: readonly AlertPatch[]): Promise<void> {
    const change = async () => {
      // The file comes first: what cannot be saved is not accepted, and must not be shown.
      const all = [...merged(this.#patches, patches).values()];
      if (this.file !== undefined) await replaceText(this.file, JSON.stringify(all));
      await this.take(patches);
      return all;
    };
    const made = this.#changes.then(() => this.#changeTogether(change));
    this.#changes = made.catch(() => {});
    return made;
  }

  /** Adds alerts that another process was sent and has saved. Resolves when they are shown. */
  async take(patches: readonly AlertPatch[]): Promise<void> {
    for (const patch of patches) this.#patches.set(patch.id, patch);
    const all = this.list();
    await Promise.all(this.#listeners.map((listener) => listener(all)));
  }

  /** Other processes exist: every change goes through `changeTogether`. */
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
