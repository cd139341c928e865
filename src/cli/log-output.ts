/**
 * Where log lines go: standard error, even if it fails. A full disk, a pipe that nothing reads and a stopped terminal
 * neither hold up the server nor end it: lines wait, up to a limit; further ones are lost, and their number is logged
 * as soon as lines can be written again.
 */

import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** Bytes of lines that may wait. */
const MOST_WAITING = 1 << 20;
/** Bytes that are written in one go. */
const MOST_AT_ONCE = 1 << 14;
/** Until the next try when lines cannot be written, milliseconds. */
const RETRY_MS = 500;

/** Tries to write; returns how many bytes were written. */
type Attempt = (bytes: Buffer, done: (error: Error | null, written: number) => void) => void;

/** Something that lines can be written to. */
interface Target {
  readonly attempt: Attempt;
  /** The last lines, at the end of the process. May throw. */
  readonly attemptNow: (bytes: Buffer) => void;
}

/** A stream that takes every line at once. */
export class LogOutput extends Writable {
  #waiting: Buffer[] = [];
  #bytes = 0;
  #lost = 0;
  #isWriting = false;

  /** Writes to `target`; tests may use another one than standard error. */
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

  /** After the lines that still wait, because the lost lines would have come next. */
  #noteLost(): void {
    if (this.#lost === 0) return;
    const notice = { level: 40, time: Date.now(), pid: process.pid, lost: this.#lost, msg: 'log lines were lost' };
    this.#lost = 0;
    this.#add(Buffer.from(`${JSON.stringify(notice)}\n`));
  }

  /** What is not written by now gets one more attempt. */
  #writeLast(): void {
    try {
      if (this.#waiting.length > 0) this.target.attemptNow(Buffer.concat(this.#waiting));
    } catch {
      // Nothing can be written any more.
    }
  }
}

/** A file descriptor as a target that never blocks the process. */
export function targetOf(fd: number): Target {
  const kind = fstatSync(fd);
  // A socket cannot be opened again. The runtime's own stream writes to it without waiting.
  if (kind.isSocket() && fd === 2) return { attempt: attemptOnStream, attemptNow: () => {} };
  const own = kind.isFIFO() || kind.isCharacterDevice() ? openedAnew(fd) : fd;
  return {
    attempt: (bytes, done) => write(own, bytes, done),
    attemptNow: (bytes) => writeSync(own, bytes),
  };
}

/**
 * The same pipe or terminal opened once more, so that it can be written to without waiting; the mode of `fd` itself is
 * shared with other processes. A thread that waits for a pipe would keep the process from ending.
 */
function openedAnew(fd: number): number {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // Not on this system.
    return fd;
  }
}

const attemptOnStream: Attempt = (bytes, done) => {
  process.stderr.write(bytes, (error) => done(error ?? null, bytes.length));
};
