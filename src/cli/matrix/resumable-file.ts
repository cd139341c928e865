/** A file that is written piece by piece, and can be resumed after an interruption. */

import { type FileHandle, open, readFile, rm, writeFile } from 'node:fs/promises';
import { renameOver } from '../../storage/rename-over.js';
import { CommandFailure, EXIT } from '../failure.js';
import { writeNamed } from '../named-file.js';

/** The state of an unfinished file, kept beside it. */
interface Progress {
  /** Identifies the content; a file with other content cannot be resumed. */
  readonly fingerprint: string;
  /** Units of work whose bytes are in the file. */
  readonly done: number;
  /** Length of the file up to the end of these units. */
  readonly bytes: number;
}

/** The saved state belongs to other content. */
export class OtherProgressError extends Error {}

/** A file being written. */
export class ResumableFile {
  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    private progress: Progress,
  ) {}

  /**
   * Opens a file for the content with this `fingerprint`. With `resume` it continues where an interrupted run with the
   * same fingerprint stopped; bytes that this run had not recorded as complete are cut off.
   */
  static async open(path: string, fingerprint: string, resume: boolean): Promise<ResumableFile> {
    const kept = resume ? await readProgress(path) : undefined;
    if (kept !== undefined && kept.fingerprint !== fingerprint) {
      throw new OtherProgressError(`${path}: the file holds the beginning of another matrix`);
    }
    const progress = kept ?? { fingerprint, done: 0, bytes: 0 };
    const file = await writeNamed(path, () => openAt(path, progress.bytes, kept !== undefined));
    return new ResumableFile(path, file, progress);
  }

  /** Units of work that are in the file. */
  get done(): number {
    return this.progress.done;
  }

  /** Whether nothing has been written yet. */
  get isEmpty(): boolean {
    return this.progress.bytes === 0;
  }

  /** Appends the bytes of some units of work; these are recorded as complete once they are in the file. */
  async append(bytes: Uint8Array, units: number): Promise<void> {
    await writeNamed(this.path, () => this.#write(bytes));
    this.progress = {
      ...this.progress,
      done: this.progress.done + units,
      bytes: this.progress.bytes + bytes.length,
    };
    const temporary = `${progressFile(this.path)}.tmp`;
    await writeFile(temporary, JSON.stringify(this.progress));
    await renameOver(temporary, progressFile(this.path));
  }

  /** Writes all bytes: the system may write only the beginning, for example of what would fill the disk. */
  async #write(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const rest = bytes.subarray(written);
      const { bytesWritten } = await this.file.write(rest, 0, rest.length, this.progress.bytes + written);
      written += bytesWritten;
    }
  }

  /** Marks the file as complete. */
  async finish(): Promise<void> {
    await this.file.sync();
    await this.file.close();
    await rm(progressFile(this.path), { force: true });
  }

  /** Saves the state for resuming later. A file without any unit of work is removed. */
  async interrupt(): Promise<void> {
    await this.file.close();
    if (this.done > 0) return;
    await rm(this.path, { force: true });
    await rm(progressFile(this.path), { force: true });
  }
}

/** Opens a file that goes on after `bytes`, or a new one. */
async function openAt(path: string, bytes: number, isResumed: boolean): Promise<FileHandle> {
  const file = await open(path, isResumed ? 'r+' : 'w');
  try {
    if (!(await file.stat()).isFile()) {
      throw new CommandFailure(
        `${path}: the output has to be a file, in which an interrupted run can go on`,
        EXIT.usage,
      );
    }
    await file.truncate(bytes);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function progressFile(path: string): string {
  return `${path}.progress`;
}

async function readProgress(path: string): Promise<Progress | undefined> {
  try {
    const { fingerprint, done, bytes } = JSON.parse(await readFile(progressFile(path), 'utf8')) as Progress;
    const known = typeof fingerprint === 'string' && Number.isInteger(done) && Number.isInteger(bytes);
    return known ? { fingerprint, done, bytes } : undefined;
  } catch {
    return undefined;
  }
}
