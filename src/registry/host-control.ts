/**
 * Changes of the registry on all hosts. A host writes the intended state of a router into a shared ledger. Every host,
 * the author too, brings the router into that state through its own control, in the order of the ledger, and reports
 * the outcome.
 */

import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import { HttpError } from '../http-error.js';
import { type LedgerChange, SharedLedger } from '../sharing/ledger.js';
import type { ProcessValues } from '../sharing/process-values.js';
import { checkedContent, contentTooLarge, MAX_CONTENT_BYTES, type SharedContents } from '../sharing/shared-contents.js';
import type { Follower, SharedValues } from '../sharing/shared-values.js';
import { fileSha256 } from '../storage/file-hash.js';
import { fileBytes, openFileStream } from '../storage/file-stream.js';
import type { PutOptions, PutOutcome, ReplaceOutcome, RouterControl } from './control.js';
import type { LoadOptions, RouterRegistry } from './registry.js';

/** The intended state of a router. `act` distinguishes one intention from all others. */
type Intention =
  | { readonly kind: 'directory'; readonly act: string; readonly preEvict: boolean; readonly force: boolean }
  | { readonly kind: 'uploaded'; readonly act: string; readonly preEvict: boolean; readonly content: string }
  | { readonly kind: 'absent'; readonly act: string };

/** The outcome on this host, and the outcomes on all hosts. */
export interface OnAllHosts<T> {
  readonly here: T;
  readonly hosts: readonly Follower[];
}

/** The last action of this host for a router. */
interface Followed {
  /** The last intention that was carried out, and the last one that succeeded. */
  readonly act: string;
  readonly served: string | undefined;
  readonly outcome: string;
}

/** What is needed besides the registry. */
interface HostControlOptions {
  /** The values that all hosts share. */
  readonly values: SharedValues;
  readonly contents: SharedContents;
  /** The values that the processes of this host share, so that only one of them makes each change. */
  readonly own: ProcessValues;
  /** A path for a graph that is fetched from another host. */
  readonly reserve: (suffix: string) => Promise<string>;
  /** Called when a client has removed a router from all hosts. */
  readonly evicted: (id: string) => Promise<void>;
  readonly logger: Logger;
}

/** Longest wait for other hosts to load a graph, milliseconds. */
const FOLLOW_MS = 120_000;

/** An uploaded graph that is not served, because the router was de-registered before it was open. */
const EVICTED_MEANWHILE = 'evicted meanwhile';

const SUCCESSES: ReadonlySet<string> = new Set(['registered', 'reloaded', 'evicted', 'not registered']);

/**
 * The changes of `RouterControl` on all hosts, under the same names. Every method rejects with an `HttpError` 503 while
 * the hosts cannot be reached.
 */
export class HostControl {
  readonly #ledger: SharedLedger<Intention>;
  /** Outcomes of intentions that this process has announced, by act. */
  readonly #outcomes = new Map<string, string | undefined>();
  /** Files of graphs that this process has received, by act: two clients may send the same graph. */
  readonly #received = new Map<string, string>();
  #hasBegun = false;

  constructor(
    private readonly control: RouterControl,
    private readonly registry: RouterRegistry,
    private readonly options: HostControlOptions,
  ) {
    const { values, contents } = options;
    this.#ledger = new SharedLedger<Intention>(values, {
      name: 'routers',
      form: 1,
      follow: (changes) => this.#follow(changes),
      restore: (id, intention) => this.#restore(id, intention),
    });
    contents.keep(() =>
      [...this.#ledger.present().values()].flatMap((what) => (what.kind === 'uploaded' ? what.content : [])),
    );
  }

  /**
   * Called when the routers of the start are loaded. From then on, this host follows the decisions of all hosts,
   * including earlier ones.
   */
  async begin(): Promise<void> {
    this.#hasBegun = true;
    for (const [id, intention] of this.#ledger.present()) await this.#carryOutOnce(id, intention, true);
  }

  async put(id: string, { preEvict = false }: PutOptions): Promise<OnAllHosts<PutOutcome>> {
    const { here, hosts } = await this.#announce(id, { kind: 'directory', act: randomUUID(), preEvict, force: false });
    return { here: here as PutOutcome, hosts };
  }

  async replace(id: string, file: string, preEvict: boolean): Promise<OnAllHosts<ReplaceOutcome>> {
    const act = randomUUID();
    this.#received.set(act, file);
    try {
      const content = `graph-${await fileSha256(file)}`;
      if ((await stat(file)).size > MAX_CONTENT_BYTES) throw contentTooLarge();
      await this.options.contents.put(content, fileBytes(file));
      const { here, hosts } = await this.#announce(id, { kind: 'uploaded', act, preEvict, content });
      return { here: replaceOutcome(here), hosts };
    } finally {
      // The file is still there only if the graph was not loaded here.
      if (this.#received.delete(act)) await rm(file, { force: true });
    }
  }

  async evict(id: string): Promise<OnAllHosts<boolean>> {
    const { hosts } = await this.#announce(id, { kind: 'absent', act: randomUUID() });
    await this.options.evicted(id);
    return { here: hosts.some(({ outcome }) => outcome === 'evicted'), hosts };
  }

  /** Reloads the routers that this host has, on all hosts. */
  async reloadAll({ preEvict, evictOnFailure: force }: LoadOptions): Promise<OnAllHosts<void>> {
    const hosts: Follower[] = [];
    for (const { id } of this.registry.list()) {
      const intention: Intention = { kind: 'directory', act: randomUUID(), preEvict, force };
      hosts.push(...(await this.#announce(id, intention)).hosts.map((one) => ({ ...one, host: named(one.host, id) })));
    }
    return { here: undefined, hosts };
  }

  /** Removes from all hosts the routers that this host serves, and those that, as far as it knows, others serve. */
  async evictAll(): Promise<OnAllHosts<number>> {
    const known = [...this.#ledger.present()].flatMap(([id, { kind }]) => (kind === 'absent' ? [] : [id]));
    const hosts: Follower[] = [];
    let count = 0;
    for (const id of new Set([...this.registry.list().map((router) => router.id), ...known])) {
      const evicted = await this.evict(id);
      if (evicted.here) count += 1;
      hosts.push(...evicted.hosts.map((one) => ({ ...one, host: named(one.host, id) })));
    }
    return { here: count, hosts };
  }

  /** Changes the intended state of a router. Reverts the change if no host could reach that state. */
  async #announce(id: string, intention: Intention): Promise<OnAllHosts<string>> {
    const { act } = intention;
    this.#outcomes.set(act, undefined);
    try {
      let previous: Intention | undefined;
      const followers = await this.#ledger.change(
        (present) => {
          previous = present.get(id);
          return new Map([[id, intention]]);
        },
        { followMs: FOLLOW_MS },
      );
      const here = this.#outcomes.get(act);
      if (here === undefined) throw new HttpError(409, 'this router was changed again in the meantime\n');
      const hosts = byHost(followers);
      const done = hosts.filter(({ outcome }) => outcome !== undefined && SUCCESSES.has(outcome));
      if (done.length < hosts.length) this.options.logger.warn({ router: id, hosts }, 'not all hosts follow a change');
      if (done.length === 0) await this.#takeBack(id, act, previous);
      return { here, hosts };
    } finally {
      this.#outcomes.delete(act);
    }
  }

  async #takeBack(id: string, act: string, previous: Intention | undefined): Promise<void> {
    await this.#ledger.change((present): LedgerChange<Intention> => {
      return present.get(id)?.act === act ? new Map([[id, previous]]) : new Map();
    });
  }

  async #follow(changes: LedgerChange<Intention>): Promise<string | undefined> {
    if (!this.#hasBegun) return 'starting';
    let outcome: string | undefined;
    for (const [id, intention] of changes) {
      if (intention !== undefined) outcome = await this.#carryOutOnce(id, intention, false);
    }
    return outcome;
  }

  /** Brings a router into its intended state, unless a process of this host has already done so. */
  async #carryOutOnce(id: string, intention: Intention, isStart: boolean): Promise<string> {
    const { act } = intention;
    let outcome = '';
    await this.options.own.update(`followed ${id}`, async (text) => {
      const before: Followed | undefined = text === undefined ? undefined : JSON.parse(text);
      if (before !== undefined && (before.act === act || before.served === act)) {
        outcome = before.outcome;
        return JSON.stringify(before);
      }
      outcome = await this.#carryOut(id, intention, isStart).catch((error: Error) => error.message.trim());
      const served = SUCCESSES.has(outcome) ? act : before?.served;
      return JSON.stringify({ act, served, outcome } satisfies Followed);
    });
    if (this.#outcomes.has(act)) this.#outcomes.set(act, outcome);
    return outcome;
  }

  async #carryOut(id: string, intention: Intention, isStart: boolean): Promise<string> {
    switch (intention.kind) {
      case 'absent':
        return (await this.control.evict(id)) ? 'evicted' : 'not registered';
      case 'directory': {
        // At the start, the directory has just been read.
        if (isStart && this.registry.isRegistered(id)) return 'registered';
        const outcome = await this.control.put(id, { preEvict: intention.preEvict });
        if (outcome === 'reload-failed' && intention.force) await this.control.evict(id);
        return outcome;
      }
      case 'uploaded': {
        const file = this.#received.get(intention.act) ?? (await this.#fetch(intention.content));
        this.#received.delete(intention.act);
        const outcome = await this.control.replace(id, file, intention.preEvict);
        if (outcome.kind === 'evicted') return EVICTED_MEANWHILE;
        return outcome.kind === 'registered' ? 'registered' : outcome.reason;
      }
    }
  }

  async #fetch(content: string): Promise<string> {
    const file = await this.options.reserve('.obj');
    try {
      await pipeline(checkedContent(this.options.contents, content), await openFileStream(file));
      return file;
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
  }

  /**
   * Whether others can still get the content of the intention. If the shared contents have lost an uploaded graph that
   * this host serves, puts it back.
   */
  async #restore(id: string, intention: Intention): Promise<boolean> {
    if (intention.kind !== 'uploaded') return true;
    const { contents } = this.options;
    if (await contents.has(intention.content)) return true;
    const source = this.registry.sourceOf(id);
    if (source?.kind !== 'file') return false;
    const digest = await fileSha256(source.file).catch(() => undefined);
    if (`graph-${digest}` !== intention.content) return false;
    await contents.put(intention.content, fileBytes(source.file));
    return true;
  }
}

function replaceOutcome(outcome: string): ReplaceOutcome {
  if (outcome === 'registered') return { kind: 'registered' };
  return outcome === EVICTED_MEANWHILE ? { kind: 'evicted' } : { kind: 'failed', reason: outcome };
}

/** One line for each host. Its processes report the same, unless one of them did not answer. */
function byHost(followers: readonly Follower[]): Follower[] {
  const hosts = new Map<string, Follower>();
  for (const follower of followers) {
    const known = hosts.get(follower.host);
    if (known === undefined || known.outcome === undefined) hosts.set(follower.host, follower);
  }
  return [...hosts.values()];
}

function named(host: string, id: string): string {
  return `${host}/${id}`;
}
