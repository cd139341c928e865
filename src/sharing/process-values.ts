/** Values of the processes of one host: one alone, or several that make their changes together. */

import { HttpError } from '../http-error.js';
import { MAX_VALUE_LENGTH, type SharedValues, type Take } from './shared-values.js';

/**
 * Makes a change of a value while no other process makes one. `change` resolves with the value after it; the whole
 * resolves when every process has it.
 */
export type ChangeTogether = (name: string, change: () => Promise<string>) => Promise<void>;

/** Keeps the values in memory. */
export class ProcessValues implements SharedValues {
  readonly #texts = new Map<string, string>();
  readonly #watchers = new Map<string, Take[]>();
  #changes: Promise<unknown> = Promise.resolve();
  #changeTogether: ChangeTogether = async (_, change) => void (await change());

  /** Other processes exist: every change goes through `changeTogether`. */
  shareWith(changeTogether: ChangeTogether): void {
    this.#changeTogether = changeTogether;
  }

  update(name: string, change: (text: string | undefined) => Promise<string>): Promise<void> {
    const work = async () => {
      const text = requireLength(name, await change(this.#texts.get(name)));
      await this.take(name, text);
      return text;
    };
    const made = this.#changes.then(() => this.#changeTogether(name, work));
    this.#changes = made.catch(() => {});
    return made;
  }

  watch(name: string, take: Take): void {
    this.#watchers.set(name, [...(this.#watchers.get(name) ?? []), take]);
  }

  /** The value as it is from now on. Resolves when all who watch it have taken it. */
  async take(name: string, text: string): Promise<void> {
    this.#texts.set(name, text);
    await Promise.all((this.#watchers.get(name) ?? []).map((take) => take(text)));
  }

  async open(): Promise<void> {}

  close(): void {}
}

/** Throws when a value is too long to be shared. */
export function requireLength(name: string, text: string): string {
  if (text.length <= MAX_VALUE_LENGTH) return text;
  throw new HttpError(413, `${name}: more than ${MAX_VALUE_LENGTH} characters cannot be kept\n`);
}
