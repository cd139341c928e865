/** Files that clients store on one host and that all hosts have: a ledger of their names, and their contents. */

import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import { Queue } from '../queues.js';
import { fileSha256 } from '../storage/file-hash.js';
import { fileBytes, openFileStream } from '../storage/file-stream.js';
import { type LedgerChange, SharedLedger } from './ledger.js';
import {
  checkedContent,
  contentTooLarge,
  MAX_CONTENT_BYTES,
  MissingContent,
  type SharedContents,
} from './shared-contents.js';
import type { SharedValues } from './shared-values.js';

/** A file as the hosts know it. */
interface SharedFile {
  /** SHA-256 of the file's bytes, which names its content; for a removed file, that of the bytes that were removed. */
  readonly digest: string;
  readonly extension: string;
  readonly isRemoved?: true;
}

/** Where the files of this host are. */
export interface FilesHere {
  /** The path of the present file with this name. */
  fileOf(name: string): Promise<string | undefined>;
  /** Lets `write` fill a new file, which gets this name; false when there is no place for it now. */
  replace(name: string, extension: string, write: (file: string) => Promise<void>): Promise<boolean>;
  remove(name: string): Promise<unknown>;
  /** Runs work that changes the files while no other process of this host does. */
  withLock<T>(work: () => Promise<T>): Promise<T>;
}

/** The shared files of one kind. */
export class SharedFiles {
  readonly #ledger: SharedLedger<SharedFile>;
  readonly #following = new Queue();

  constructor(
    name: string,
    values: SharedValues,
    private readonly contents: SharedContents,
    private readonly here: FilesHere,
    private readonly logger: Logger,
  ) {
    this.#ledger = new SharedLedger<SharedFile>(values, {
      name,
      form: 1,
      isRemoved: ({ isRemoved }) => isRemoved === true,
      follow: (changes) => this.#follow(changes),
      restore: (fileName, file) => this.#restore(fileName, file),
    });
    contents.keep(() => [...this.#ledger.present().values()].map(({ digest }) => digest));
  }

  /** Resolves when this host has the files that it was notified of. */
  async settled(): Promise<void> {
    await this.#following.settled();
  }

  /**
   * Stores the content of a file that is about to get its name here, for the other hosts. Rejects with an `HttpError`
   * 413 or 503, and nothing has changed then. Returns its digest.
   */
  async prepare(file: string): Promise<string> {
    if ((await stat(file)).size > MAX_CONTENT_BYTES) throw contentTooLarge();
    const digest = await fileSha256(file);
    await this.contents.put(digest, fileBytes(file));
    return digest;
  }

  /** The same for a text. */
  async prepareText(text: string): Promise<string> {
    const digest = createHash('sha256').update(text).digest('hex');
    await this.contents.put(digest, [Buffer.from(text)]);
    return digest;
  }

  /** Announces a file, which is here and whose content was prepared, to all hosts. */
  async announce(name: string, digest: string, extension: string): Promise<void> {
    await this.#ledger.change(() => new Map([[name, { digest, extension }]]));
  }

  /** Removes a file here and from all other hosts; returns whether there was one. */
  async remove(name: string): Promise<boolean> {
    const digest = await this.#digestHere(name);
    if (digest === undefined) return false;
    await this.#ledger.change(() => new Map([[name, { digest, extension: '', isRemoved: true }]]));
    return true;
  }

  /** Makes the files here the same as those of the other hosts, for example when there is a place for more of them. */
  async reconcile(isWanted: (name: string) => boolean): Promise<void> {
    const wanted = [...this.#ledger.present()].filter(([name]) => isWanted(name));
    if (wanted.length > 0) await this.#follow(new Map(wanted));
  }

  /** The digest of the file with this name; undefined without one. */
  async #digestHere(name: string): Promise<string | undefined> {
    const file = await this.here.fileOf(name);
    return file === undefined ? undefined : fileSha256(file).catch(() => undefined);
  }

  /** Rejects when a file could not be taken; the ledger then notifies again. */
  #follow(changes: LedgerChange<SharedFile>): Promise<undefined> {
    return this.#following.take(() =>
      this.here.withLock(async (): Promise<undefined> => {
        const failures: string[] = [];
        for (const [name, file] of changes) {
          const failed = (error: Error) => failures.push(this.#failed(name, error));
          if (file !== undefined) await this.#followOne(name, file).catch(failed);
        }
        if (failures.length > 0) throw new Error(failures.join(', '));
      }),
    );
  }

  async #followOne(name: string, { digest, extension, isRemoved }: SharedFile): Promise<void> {
    const present = await this.#digestHere(name);
    if (isRemoved) {
      // Only the file that was removed: one that was put there by hand since stays.
      if (present === digest) await this.here.remove(name);
      return;
    }
    if (present === digest) return;
    await this.here.replace(name, extension, async (file) =>
      pipeline(checkedContent(this.contents, digest), await openFileStream(file)),
    );
  }

  #failed(name: string, error: Error): string {
    const reason = error instanceof MissingContent ? 'no host has its content any more' : error.message.trim();
    this.logger.warn({ name, reason }, 'a shared file could not be applied');
    return `${name}: ${reason}`;
  }

  async #restore(name: string, { digest, isRemoved }: SharedFile): Promise<boolean> {
    if (isRemoved) return true;
    const file = await this.here.fileOf(name);
    if (file === undefined || (await this.#digestHere(name)) !== digest) return false;
    await this.contents.put(digest, fileBytes(file));
    return true;
  }
}
