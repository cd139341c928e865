/** Alerts that were sent to the server, for all its routers. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AlertPatch } from '../native/types.js';
import { SharedLedger } from '../sharing/ledger.js';
import type { SharedValues } from '../sharing/shared-values.js';
import { makeDirectory } from '../storage/directory.js';
import { replaceContent } from '../storage/unfinished.js';

type Listener = (patches: readonly AlertPatch[]) => Promise<void>;

/** Form 1 was a list of patches. */
const FORM = 2;

/** Keeps alerts by id, and in a file if there is one. All processes have the same ones. */
export class AlertStore {
  readonly #ledger: SharedLedger<AlertPatch>;
  readonly #listeners: Listener[] = [];

  /** `file` keeps the alerts across restarts; a missing file counts as empty. */
  constructor(
    values: SharedValues,
    private readonly file?: string,
  ) {
    this.#ledger = new SharedLedger(values, { name: 'alerts', form: FORM, follow: () => this.#show() });
    for (const patch of file === undefined ? [] : readPatches(file)) this.#ledger.begin(patch.id, patch);
  }

  list(): AlertPatch[] {
    return [...this.#ledger.present().values()];
  }

  /**
   * Adds alerts, or replaces those with the same id. Resolves when they are saved and shown, here and by the other
   * processes. Changes are made one after the other.
   */
  async put(patches: readonly AlertPatch[]): Promise<void> {
    const added = new Map(patches.map((patch) => [patch.id, patch]));
    await this.#ledger.change(async (present) => {
      // The file is written first: alerts that cannot be saved are not accepted, and must not be shown.
      const all = [...new Map([...present, ...added]).values()];
      if (this.file !== undefined) await save(this.file, all);
      return added;
    });
  }

  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  async #show(): Promise<undefined> {
    const all = this.list();
    await Promise.all(this.#listeners.map((listener) => listener(all)));
  }
}

async function save(file: string, patches: readonly AlertPatch[]): Promise<void> {
  await makeDirectory(path.dirname(file));
  await replaceContent(file, JSON.stringify(patches));
}

/** The alerts of a file; a missing one counts as empty. Throws when it cannot be read or is not a list of alerts. */
export function readPatches(file: string): AlertPatch[] {
  try {
    const patches: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (Array.isArray(patches) && patches.every((patch) => typeof patch?.id === 'string')) return patches;
    throw new Error('expected a list of alerts with ids');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Error(`${file}: the alerts cannot be read (${(error as Error).message})`);
  }
}
