/**
 * Writes log lines to standard error, even if that fails for a while. A full disk, a pipe that nobody reads and a
 * stopped terminal neither hold up the server nor end it: lines wait, up to a limit. Further lines are lost, and their
 * number is logged as soon as lines can be written again.
 */

import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** Most bytes of lines that wait. */
const MOST_WAITING = 1 << 20;
/** Bytes that are written in one call. */
const MOST_AT_ONCE = 1 << 14;
/** Pause before the next try when lines cannot be written, milliseconds. */
const RETRY_MS = 500;

/** Tries to write; returns how many bytes were written. */
type Attempt = (bytes: Buffer, done: (error: Error | null, written: number) => void) => void;

/** Something that lines can be written to. */
interface Target {
  readonly attempt: Attempt;
  /** Writes the last lines, at the end of the process. May throw. */
  readonly attemptNow: (bytes: Buffer) => void;
}

/** A stream that accepts every line at once. */
export class LogOutput extends Writable {
  #waiting: Buffer[] = [];
  #bytes = 0;
  #lost = 0;
  #isWriting = false;

  /** Writes to `target`, which is standard error except in tests. */
  constructor(private readonly target: Target = targetOf(2)) {
    super({ decodeStrings: true });
    process.once('exit', () => this.#writeLast());
  }

  override _write(line: Buffer, _encoding: string, taken: () => void): void {
    if (this.#bytes + line.length > MOST_WAITING) this.#lost += 1;
    else this.#add(line);
    this.#writeNext();
    taken();
  }

  #add(line: Buffer): void {
    this.#waiting.push(line);
    this.#bytes += line.length;
  }

  #writeNext(): void {
    if (this.#isWriting || this.#waiting.length === 0) return;
    this.#isWriting = true;
    const bytes = this.#takeSome();
    this.target.attempt(bytes, (error, written) => {
      const rest = bytes.subarray(error ? 0 : written);
      if (rest.length > 0) {
        this.#waiting.unshift(rest);
        this.#bytes += rest.length;
      }
      if (error) return this.#retryLater();
      this.#isWriting = false;
      this.#noteLost();
      this.#writeNext();
    });
  }

  #takeSome(): Buffer {
    const some: Buffer[] = [];
    let bytes = 0;
    for (const line of this.#waiting) {
      if (bytes > 0 && bytes + line.length > MOST_AT_ONCE) break;
      some.push(line);
      bytes += line.length;
    }
    this.#waiting.splice(0, some.length);
    this.#bytes -= bytes;
    return Buffer.concat(some);
  }

  #retryLater(): void {
    setTimeout(() => {
      this.#isWriting = false;
      this.#writeNext();
    }, RETRY_MS).unref();
  }

  /**
   * Logs how many lines were lost. The note comes after the lines that still wait, because those are older than the
   * lost ones.
   */
  #noteLost(): void {
    if (this.#lost === 0) return;
    const notice = { level: 40, time: Date.now(), pid: process.pid, lost: this.#lost, msg: 'log lines were lost' };
    this.#lost = 0;
    this.#add(Buffer.from(`${JSON.stringify(notice)}\n`));
  }

  /** Tries once more to write the lines that are still waiting. */
  #writeLast(): void {
    try {
      if (this.#waiting.length > 0) this.target.attemptNow(Buffer.concat(this.#waiting));
    } catch {
      // Nothing can be written any more.
    }
  }
}

/** A file descriptor as a target that never blocks the process. */
function targetOf(fd: number): Target {
  const kind = fstatSync(fd);
  // A socket cannot be opened again. The runtime's own stream writes to it without waiting.
  if (kind.isSocket() && fd === 2) return { attempt: attemptOnStream, attemptNow: () => {} };
  const own = kind.isFIFO() || kind.isCharacterDevice() ? reopened(fd) : fd;
  return {
    attempt: (bytes, done) => write(own, bytes, done),
    attemptNow: (bytes) => writeSync(own, bytes),
  };
}

/**
 * The same pipe or terminal, opened once more so that writing to it does not wait: other processes share the mode of
 * `fd` itself. A thread that waited for a pipe would keep the process from ending.
 */
function reopened(fd: number): number {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // Not possible on this system.
    return fd;
  }
}

const attemptOnStream: Attempt = (bytes, done) => {
  process.stderr.write(bytes, (error) => done(error ?? null, bytes.length));
};
