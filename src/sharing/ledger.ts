/**
 * Named entries that all processes have, as one shared value. Each entry, and each note that an entry was removed, has
 * a stamp larger than all before. Any two states of a ledger can therefore be merged: for each name, the later entry
 * counts. In this way, a process that was disconnected, or a Redis that has lost its data, gets back what it lacks.
 */

import { createHash, randomBytes } from 'node:crypto';
import { BusyError } from '../http-error.js';
import { jsonOf } from '../json.js';
import type { Follower, SharedValues } from './shared-values.js';

interface Entry<T> {
  readonly stamp: number;
  /** When it was made, epoch milliseconds. */
  readonly at: number;
  /** Tells changes with the same stamp apart. */
  readonly by: string;
  /** Absent when the name was removed. */
  readonly value?: T;
}

/** The text of a ledger. */
interface Stored<T> {
  readonly form: number;
  readonly forgotten: number;
  readonly entries: ReadonlyArray<readonly [name: string, entry: Entry<T>]>;
}

/** The number of removals that are remembered, the latest ones. */
const REMEMBERED = 200;

/** A change: values by name, undefined for names that are removed. */
export type LedgerChange<T> = ReadonlyMap<string, T | undefined>;

interface LedgerOptions<T> {
  /**
   * Name of the shared value, and version of its form, which is raised when earlier versions of Trestle would
   * misunderstand it.
   */
  readonly name: string;
  readonly form: number;
  /** Entries are forgotten after this time, milliseconds. */
  readonly keptMs?: number;
  /**
   * The number of removals that are remembered. A few are enough where no process can be disconnected while another one
   * changes the value.
   */
  readonly remembered?: number;
  /**
   * Applies here the changes that were made here or elsewhere; the result is sent to the process that made the change.
   * If it rejects, it is called again at the next change or connection.
   */
  follow(changes: LedgerChange<T>): Promise<string | undefined>;
  /** Whether a value means that something was removed; such values do not count as present. */
  isRemoved?(value: T): boolean;
  /**
   * Whether this process can give an entry back to processes that have lost it. Without this function, it always can.
   */
  restore?(name: string, value: T): Promise<boolean>;
}

/** The entries of one shared value. */
export class SharedLedger<T> {
  readonly #entries = new Map<string, Entry<T>>();
  /**
   * The largest stamp of a removal that is no longer remembered. An older entry that the others do not have was
   * removed.
   */
  #forgotten = 0;
  /** Names that were changed and still have to be followed. */
  readonly #toFollow = new Set<string>();

  constructor(
    private readonly values: SharedValues,
    private readonly options: LedgerOptions<T>,
    private readonly now: () => number = Date.now,
  ) {
    values.watch(options.name, (text) => this.#reconcile(text));
  }

  get(name: string): T | undefined {
    const entry = this.#entries.get(name);
    return entry === undefined || !this.#isPresent(entry) ? undefined : entry.value;
  }

  /** Whether there is an entry, or a note that it was removed. */
  isKnown(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Values by name, in the order of their changes. */
  present(): Map<string, T> {
    return this.#presentOf(this.#entries);
  }

  /** Adds an entry that is older than all others, for what this process had before it was connected to the others. */
  begin(name: string, value: T): void {
    const by = createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 8);
    this.#entries.set(name, { stamp: 0, at: this.now(), by, value });
  }

  /**
   * Changes several entries at once. `make` gets the present values, and whether no other process has any; it is called
   * again if another process has changed the value first. Resolves with the hosts that have followed. Rejects with a
   * `BusyError`.
   */
  async change(
    make: (present: ReadonlyMap<string, T>, isNew: boolean) => LedgerChange<T> | Promise<LedgerChange<T>>,
    options?: { readonly followMs?: number },
  ): Promise<readonly Follower[]> {
    return this.values.update(
      this.options.name,
      async (text) => {
        const all = this.#mergedWith(this.#entries, text);
        const changes = await make(this.#presentOf(all), text === undefined);
        const by = randomBytes(6).toString('base64url');
        let stamp = Math.max(0, ...[...all.values()].map((entry) => entry.stamp));
        for (const [name, value] of changes) {
          stamp += 1;
          const entry = { stamp, at: this.now(), by };
          all.set(name, value === undefined ? entry : { ...entry, value });
        }
        return this.#write(all);
      },
      options,
    );
  }

  /** Takes what the other processes have, and gives them what only this one has. */
  async #reconcile(text: string | undefined): Promise<string | undefined> {
    const { entries: theirs, forgotten } = this.#read(text);
    this.#forgotten = Math.max(this.#forgotten, forgotten);
    for (const [name, entry] of theirs) {
      const own = this.#entries.get(name);
      if (own !== undefined && !isLater(entry, own)) continue;
      this.#entries.set(name, entry);
      if (!this.#isOver(entry)) this.#toFollow.add(name);
    }
    for (const [name, { stamp }] of this.#entries) {
      if (stamp === 0 || stamp > forgotten || theirs.has(name)) continue;
      this.#entries.delete(name);
      this.#toFollow.add(name);
    }
    this.#forgetOld();
    const missing = [...this.#entries].filter(([name, own]) => {
      const their = theirs.get(name);
      return their === undefined || isLater(own, their);
    });
    // Not awaited: the caller waits until the value has been taken. A failure is repaired when the processes next
    // connect.
    if (missing.length > 0) this.#giveBack(missing).catch(() => {});
    return this.#followChanges();
  }

  async #followChanges(): Promise<string | undefined> {
    if (this.#toFollow.size === 0) return undefined;
    const changes = new Map([...this.#toFollow].map((name) => [name, this.#entries.get(name)?.value]));
    const outcome = await this.options.follow(changes);
    for (const name of changes.keys()) this.#toFollow.delete(name);
    return outcome;
  }

  async #giveBack(missing: readonly (readonly [string, Entry<T>])[]): Promise<void> {
    const given: [string, Entry<T>][] = [];
    for (const [name, entry] of missing) {
      if (this.#isOver(entry)) continue;
      if (entry.value === undefined || ((await this.options.restore?.(name, entry.value)) ?? true)) {
        given.push([name, entry]);
      }
    }
    if (given.length === 0) return;
    await this.values.update(this.options.name, async (text) => this.#write(this.#mergedWith(new Map(given), text)));
  }

  /** The later entry of each name. */
  #mergedWith(own: ReadonlyMap<string, Entry<T>>, text: string | undefined): Map<string, Entry<T>> {
    const { entries, forgotten } = this.#read(text);
    this.#forgotten = Math.max(this.#forgotten, forgotten);
    for (const [name, entry] of own) {
      const known = entries.get(name);
      const wasRemoved = known === undefined && entry.stamp > 0 && entry.stamp <= forgotten;
      if (!wasRemoved && (known === undefined || isLater(entry, known))) entries.set(name, entry);
    }
    return entries;
  }

  /** Throws a `BusyError` for a value of another version of Trestle, or of another program. */
  #read(text: string | undefined): { readonly entries: Map<string, Entry<T>>; readonly forgotten: number } {
    if (text === undefined) return { entries: new Map(), forgotten: 0 };
    const { name, form } = this.options;
    const found = stored<T>(text);
    if (found !== undefined && found.form !== form) {
      throw new BusyError(
        `the shared ${name} have format ${found.form}, but this version of Trestle reads format ${form}\n`,
        60,
      );
    }
    if (found !== undefined && isWhole(found)) return { entries: new Map(found.entries), forgotten: found.forgotten };
    throw new BusyError(`the shared ${name} cannot be read: another program uses the name\n`, 60);
  }

  #write(all: ReadonlyMap<string, Entry<T>>): string {
    const young = [...all].filter(([, entry]) => !this.#isOver(entry));
    const removed = young.flatMap(([, entry]) => (this.#isPresent(entry) ? [] : [entry.stamp]));
    const last = removed.sort((a, b) => b - a)[this.options.remembered ?? REMEMBERED] ?? 0;
    const forgotten = Math.max(this.#forgotten, last);
    const entries = young.filter(([, entry]) => this.#isPresent(entry) || entry.stamp > last);
    return JSON.stringify({ form: this.options.form, forgotten, entries } satisfies Stored<T>);
  }

  #forgetOld(): void {
    for (const [name, entry] of this.#entries) if (this.#isOver(entry)) this.#entries.delete(name);
  }

  #presentOf(entries: ReadonlyMap<string, Entry<T>>): Map<string, T> {
    const inOrder = [...entries].sort(([, a], [, b]) => a.stamp - b.stamp);
    return new Map(inOrder.flatMap(([name, entry]) => (this.#isPresent(entry) ? [[name, entry.value]] : [])));
  }

  #isPresent(entry: Entry<T>): entry is Entry<T> & { readonly value: T } {
    const isGone = entry.value === undefined || this.options.isRemoved?.(entry.value) === true;
    return !isGone && !this.#isOver(entry);
  }

  #isOver({ at }: Entry<T>): boolean {
    const { keptMs } = this.options;
    return keptMs !== undefined && this.now() > at + keptMs;
  }
}

/**
 * Two entries can have the same stamp if they were made while Redis had lost its data; all processes have to choose the
 * same one of the two.
 */
function isLater<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.stamp > b.stamp || (a.stamp === b.stamp && a.by > b.by);
}

/** Undefined for a text that is not a ledger. Only the form has been checked. */
function stored<T>(text: string): Stored<T> | undefined {
  const found = jsonOf(text) as Stored<T> | null | undefined;
  return typeof found?.form === 'number' ? found : undefined;
}

function isWhole({ forgotten, entries }: Stored<unknown>): boolean {
  return typeof forgotten === 'number' && Array.isArray(entries) && entries.every(isEntry);
}

function isEntry(found: unknown): boolean {
  if (!Array.isArray(found)) return false;
  const [name, entry] = found as [unknown, Partial<Entry<unknown>> | null];
  return typeof name === 'string' && typeof entry?.stamp === 'number' && typeof entry.at === 'number';
}
