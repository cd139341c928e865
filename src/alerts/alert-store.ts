/** Alerts that were sent to the server, for all its routers. */

import { readFileSync } from 'node:fs';
import { BusyError } from '../http-error.js';
import type { AlertPatch } from '../native/types.js';
import type { SharedValues } from '../sharing/shared-values.js';
import { replaceText } from '../storage/unfinished.js';

type Listener = (patches: readonly AlertPatch[]) => Promise<void>;

/** Name of the value that the processes share. */
const NAME = 'alerts';

/** Version of its form; raised when a process of the former version would misunderstand it. */
const FORM = 1;

/** Keeps alerts by id, and in a file when there is one. All processes have the same. */
export class AlertStore {
  readonly #patches = new Map<string, AlertPatch>();
  readonly #listeners: Listener[] = [];

  /** `file` keeps the alerts over restarts; a missing file counts as empty. */
  constructor(
    private readonly values: SharedValues,
    private readonly file?: string,
  ) {
    for (const patch of file === undefined ? [] : readPatches(file)) this.#patches.set(patch.id, patch);
    values.watch(NAME, (text) => this.#meet(text));
  }

  list(): AlertPatch[] {
    return [...this.#patches.values()];
  }

  /**
   * Adds alerts, or replaces those of the same id. Resolves when they are saved and shown, here and by the other
   * processes. Changes are made one after the other.
   */
  put(patches: readonly AlertPatch[]): Promise<void> {
    return this.values.update(NAME, async (text) => {
      // The file comes first: what cannot be saved is not accepted, and must not be shown.
      const all = [...merged(merged(this.#patches, readShared(text)), patches).values()];
      if (this.file !== undefined) await replaceText(this.file, JSON.stringify(all));
      return JSON.stringify({ form: FORM, patches: all });
    });
  }

  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Shows what the other processes have, and gives them what only this one has. */
  async #meet(text: string | undefined): Promise<void> {
    const theirs = readShared(text);
    const known = new Set(theirs.map(({ id }) => id));
    const missing = this.list().filter(({ id }) => !known.has(id));
    if (theirs.length > 0) await this.#show(theirs);
    // Not awaited: the caller waits until the value has been taken. A failure is repaired when the processes next connect.
    if (missing.length > 0) this.put(missing).catch(() => {});
  }

  async #show(patches: readonly AlertPatch[]): Promise<void> {
    for (const patch of patches) this.#patches.set(patch.id, patch);
    const all = this.list();
    await Promise.all(this.#listeners.map((listener) => listener(all)));
  }
}

/** Alerts by id after some were added, or replaced those of their id. */
function merged(known: ReadonlyMap<string, AlertPatch>, added: readonly AlertPatch[]): Map<string, AlertPatch> {
  return new Map([...known, ...added.map((patch) => [patch.id, patch] as const)]);
}

/** Throws a `BusyError` for a value of another version of Trestle. */
function readShared(text: string | undefined): readonly AlertPatch[] {
  if (text === undefined) return [];
  const { form, patches } = JSON.parse(text);
  if (form === FORM) return patches;
  throw new BusyError(`the shared alerts have form ${form}, this version of Trestle reads ${FORM}\n`, 60);
}

function readPatches(file: string): AlertPatch[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Error(`${file}: the alerts cannot be read (${(error as Error).message})`);
  }
}
