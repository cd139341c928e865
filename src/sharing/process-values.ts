/** Values of the processes of one host: one alone, or several that make their changes together. */

import { HttpError } from '../http-error.js';
import { Queues } from '../queues.js';
import { type Change, type Follower, MAX_VALUE_LENGTH, type SharedValues, type Take } from './shared-values.js';
import { Watchers } from './watchers.js';

/** How a process reaches the other processes of its host. */
export interface OtherProcesses {
  /**
   * Runs work while no other process runs work of the same name, and after this process has taken every earlier value.
   */
  withLock<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Sends a value to the others. Resolves when they have taken it. */
  broadcast(name: string, text: string): Promise<void>;
}

/** For a process that is alone. */
const NOBODY: OtherProcesses = {
  withLock: (_, work) => work(),
  broadcast: async () => {},
};

/** Keeps the values in memory, those of all processes in the memory of each. */
export class ProcessValues implements SharedValues {
  readonly #texts = new Map<string, string>();
  readonly #watchers = new Watchers();
  readonly #queues = new Queues();

  constructor(private readonly others: OtherProcesses = NOBODY) {}

  /** The present values. */
  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  /** Runs work while no process of this host runs work of the same name. */
  withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#queues.take(name, () => this.others.withLock(name, work));
  }

  /** A text that has not changed is not sent. */
  async update(name: string, change: Change): Promise<readonly Follower[]> {
    await this.withLock(`value ${name}`, async () => {
      const present = this.#texts.get(name);
      const text = requireLength(name, await change(present));
      if (text === present) return;
      await this.take(name, text);
      await this.others.broadcast(name, text);
    });
    return [];
  }

  watch(name: string, take: Take): void {
    this.#watchers.add(name, take);
  }

  /** Stores a value. Resolves when all who watch it have taken it. */
  async take(name: string, text: string): Promise<void> {
    this.#texts.set(name, text);
    await this.#watchers.take(name, text);
  }

  async open(): Promise<void> {}

  close(): void {}
}

/** Throws when a value is too long to be shared. */
export function requireLength(name: string, text: string): string {
  if (text.length <= MAX_VALUE_LENGTH) return text;
  throw new HttpError(413, `${name}: more than ${MAX_VALUE_LENGTH} characters cannot be kept\n`);
}
