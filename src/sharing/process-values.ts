/** Values of the processes of one host: one alone, or several that make their changes together. */

import { HttpError } from '../http-error.js';
import { Queues } from './queues.js';
import { type Change, type Follower, MAX_VALUE_LENGTH, type SharedValues, type Take } from './shared-values.js';

/**
 * Makes a change of a value while no other process makes one. `change` resolves with the value after it; the whole
 * resolves when every process has it.
 */
export type ChangeTogether = (name: string, change: () => Promise<string>) => Promise<void>;

/** Runs work while no other process of this host runs work of the same name. */
export type Alone = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Keeps the values in memory. */
export class ProcessValues implements SharedValues {
  readonly #texts = new Map<string, string>();
  readonly #watchers = new Map<string, Take[]>();
  readonly #queues = new Queues();
  #changeTogether: ChangeTogether = async (_, change) => void (await change());
  #alone: Alone = (name, work) => this.#queues.take(name, work);

  /** Other processes exist: every change goes through `changeTogether`, other work that they share through `alone`. */
  shareWith(changeTogether: ChangeTogether, alone: Alone): void {
    this.#changeTogether = changeTogether;
    this.#alone = alone;
  }

  /** Runs work while no other process of this host runs work of the same name. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#alone(name, work);
  }

  update(name: string, change: Change): Promise<readonly Follower[]> {
    const work = async () => {
      const text = requireLength(name, await change(this.#texts.get(name)));
      await this.take(name, text);
      return text;
    };
    return this.#queues.take(`value ${name}`, () => this.#changeTogether(name, work)).then(() => []);
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
