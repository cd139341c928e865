/**
 * A kept connection of HTTP/1.1 for requests without a body. The runtime's own client takes as long as some of the
 * answers that are timed, on a processor that the server may share.
 */

import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';

/** An answer as it came. */
export interface HttpAnswer {
  status: number;
  body: Buffer;
}

const END_OF_HEAD = '\r\n\r\n';
const END_OF_LINE = '\r\n';
const WITHOUT_BODY = new Set([204, 304]);
const NOTHING: Buffer = Buffer.alloc(0);

/** The present request's promise. */
interface Pending {
  resolve(answer: HttpAnswer): void;
  reject(error: Error): void;
}

/** A connection that carries one request at a time. */
export class HttpConnection {
  readonly #socket: Socket;
  #pending: Pending | undefined;
  #answer = new AnswerReader();

  constructor({ protocol, hostname, port }: URL, timeoutMs: number) {
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    this.#socket =
      protocol === 'https:'
        ? connectSecure({ host, port: Number(port || 443), servername: host })
        : connectPlain({ host, port: Number(port || 80) });
    this.#socket.setNoDelay(true);
    this.#socket.setTimeout(timeoutMs, () => this.#socket.destroy());
    this.#socket.on('data', (part: Buffer) => this.#read(part));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', (broken) => this.#ended(broken));
  }

  /** Whether another request may follow. */
  get isOpen(): boolean {
    return !this.#socket.destroyed && !this.#answer.isLast;
  }

  /** Sends the text of a request and reads its answer; rejects when the connection breaks. */
  send(request: string): Promise<HttpAnswer> {
    this.#answer = new AnswerReader();
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      if (this.#socket.destroyed) this.#ended(true);
      else this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(part: Buffer): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    try {
      const answer = this.#answer.add(part);
      if (answer === undefined) return;
      this.#pending = undefined;
      if (this.#answer.isLast) this.#socket.destroy();
      pending.resolve(answer);
    } catch {
      this.#socket.destroy();
    }
  }

  #ended(broken: boolean): void {
    const answer = broken ? undefined : this.#answer.end();
    if (answer === undefined)
      this.#pending?.reject(new Error('the connection was closed before the answer was complete'));
    else this.#pending?.resolve(answer);
    this.#pending = undefined;
  }
}

type Framing = { kind: 'length'; bytes: number } | { kind: 'chunked' } | { kind: 'until closed' };

/** Puts an answer together from the parts that arrive. */
class AnswerReader {
  #parts: Buffer[] = [];
  #bytes = 0;
  #status = 0;
  #framing: Framing | undefined;
  /** Whether the server ends the connection behind this answer. */
  isLast = false;

  /** The answer, once it is complete. */
  add(part: Buffer): HttpAnswer | undefined {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#framing === undefined && !this.#readHead()) return undefined;
    if (this.#framing?.kind === 'length' && this.#bytes >= this.#framing.bytes) {
      return this.#complete(this.#joined().subarray(0, this.#framing.bytes));
    }
    if (this.#framing?.kind !== 'chunked') return undefined;
    const body = dechunked(this.#joined());
    return body && this.#complete(body);
  }

  /** The answer that the end of the connection completes. */
  end(): HttpAnswer | undefined {
    return this.#framing?.kind === 'until closed' ? this.#complete(this.#joined()) : undefined;
  }

  #complete(body: Buffer): HttpAnswer {
    return { status: this.#status, body };
  }

  #joined(): Buffer {
    const joined = this.#parts.length === 1 ? (this.#parts[0] ?? NOTHING) : Buffer.concat(this.#parts);
    this.#parts = [joined];
    return joined;
  }

  /** Reads the head once it is complete; what follows stays. */
  #readHead(): boolean {
    const bytes = this.#joined();
    const end = bytes.indexOf(END_OF_HEAD);
    if (end < 0) return false;
    const rest = bytes.subarray(end + END_OF_HEAD.length);
    this.#parts = [rest];
    this.#bytes = rest.length;
    const head = bytes.toString('latin1', 0, end);
    this.#status = Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(this.#status)) throw new Error('this is no answer of HTTP/1');
    // What comes before the answer itself, such as early hints.
    if (this.#status < 200) return this.#readHead();
    this.#framing = framingOf(this.#status, head);
    this.isLast = this.#framing.kind === 'until closed' || /^connection:[ \t]*close[ \t]*$/im.test(head);
    return true;
  }
}

function framingOf(status: number, head: string): Framing {
  if (WITHOUT_BODY.has(status)) return { kind: 'length', bytes: 0 };
  if (/^transfer-encoding:.*\bchunked[ \t]*$/im.test(head)) return { kind: 'chunked' };
  const length = /^content-length:[ \t]*(\d+)/im.exec(head)?.[1];
  return length === undefined ? { kind: 'until closed' } : { kind: 'length', bytes: Number(length) };
}

/** The body in the chunks, once the last is there. */
function dechunked(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf(END_OF_LINE, at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (Number.isNaN(size)) throw new Error('a chunk has no size');
    const from = end + END_OF_LINE.length;
    if (size === 0) return bytes.includes(END_OF_HEAD, end) ? Buffer.concat(chunks) : undefined;
    chunks.push(bytes.subarray(from, from + size));
    at = from + size + END_OF_LINE.length;
    if (at > bytes.length) return undefined;
  }
}
