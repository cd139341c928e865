/** The thread that writes the files of parts. It starts with the first request. */

import { Worker } from 'node:worker_threads';
import type { PartRows } from './tables.js';

/** Requests to the thread. */
export type Question =
  | { readonly type: 'encode'; readonly rows: PartRows }
  | { readonly type: 'amounts'; readonly job: string; readonly amounts: readonly Int32Array[] }
  | {
      readonly type: 'sums';
      readonly job: string;
      readonly seconds: Int32Array;
      readonly cutoffs: readonly number[];
    }
  | { readonly type: 'forget'; readonly job: string };

export type Answer =
  | { readonly call: number; readonly value: Float64Array | Uint8Array | undefined }
  | { readonly call: number; readonly error: Error };

interface Waiting {
  readonly resolve: (value: Float64Array | Uint8Array | undefined) => void;
  readonly reject: (error: Error) => void;
}

export class TableWriter {
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #calls = 0;

  async encode(rows: PartRows): Promise<Uint8Array> {
    return (await this.#ask({ type: 'encode', rows })) as Uint8Array;
  }

  /** Sends the thread the amounts of a job's destinations. */
  async know(job: string, amounts: readonly Int32Array[]): Promise<void> {
    await this.#ask({ type: 'amounts', job, amounts });
  }

  /** As `reachedAmounts`, with the amounts of a job. */
  async sums(job: string, seconds: Int32Array, cutoffs: readonly number[]): Promise<Float64Array> {
    return (await this.#ask({ type: 'sums', job, seconds, cutoffs })) as Float64Array;
  }

  /** The amounts of a job are no longer needed. */
  forget(job: string): void {
    if (this.#thread !== undefined) void this.#ask({ type: 'forget', job }).catch(() => {});
  }

  close(): void {
    void this.#thread?.terminate();
  }

  #ask(question: Question): Promise<Float64Array | Uint8Array | undefined> {
    this.#calls += 1;
    const call = this.#calls;
    const thread = this.#running();
    return new Promise((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject });
      thread.ref();
      thread.postMessage({ call, question });
    });
  }

  #running(): Worker {
    if (this.#thread !== undefined) return this.#thread;
    const thread = new Worker(new URL('./table-thread.js', import.meta.url), { env: {} });
    thread.on('message', (answer: Answer) => {
      const waiting = this.#waiting.get(answer.call);
      this.#waiting.delete(answer.call);
      // A thread without work does not keep the process alive.
      if (this.#waiting.size === 0) thread.unref();
      if ('error' in answer) waiting?.reject(answer.error);
      else waiting?.resolve(answer.value);
    });
    const fail = (error: Error) => {
      this.#thread = undefined;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    thread.on('error', fail);
    thread.on('exit', () => fail(new Error('the thread that writes results has stopped')));
    this.#thread = thread;
    return thread;
  }
}
