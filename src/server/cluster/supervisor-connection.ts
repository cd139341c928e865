/** The connection of a serving process to the supervisor, and through it to the other serving processes. */

import cluster from 'node:cluster';
import { BusyError } from '../../http-error.js';
import type { OtherProcesses } from '../../sharing/process-values.js';
import { type FromServing, isOurs, type ToServing } from './messages.js';

type Unnumbered<M> = M extends { call: number } ? Omit<M, 'call'> : never;

/** Takes a value that another process has changed. */
type TakeValue = (name: string, text: string) => Promise<unknown>;

/** A question with its answer to come. */
interface Pending {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
}

/** Seconds until another server has probably taken the place of one that ends. */
const RETRY_S = 5;

/** One for each process. */
export class SupervisorConnection implements OtherProcesses {
  readonly #pending = new Map<number, Pending>();
  #calls = 0;
  #take: TakeValue = async () => {};
  /** Values are taken one after the other. */
  #taken: Promise<unknown> = Promise.resolve();
  readonly #joined: Promise<void>;
  #isJoined: () => void = () => {};
  #hasLeft = false;

  constructor() {
    this.#joined = new Promise((resolve) => {
      this.#isJoined = resolve;
    });
    process.on('message', (message) => {
      if (isOurs<ToServing>(message)) this.#hear(message);
    });
  }

  /** Brings this process up to date; from now on `take` is called with what others change. */
  async join(take: TakeValue): Promise<void> {
    this.#take = take;
    await this.#ask({ trestle: 'join' });
    this.#isJoined();
  }

  async withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.#joined;
    await this.#ask({ trestle: 'lock', name });
    try {
      // Others may still be taking the value that the previous holder of the lock sent.
      await this.#taken;
      return await work();
    } finally {
      this.#send({ trestle: 'unlock', name });
    }
  }

  async broadcast(name: string, text: string): Promise<void> {
    await this.#ask({ trestle: 'broadcast', name, text });
  }

  /** Metrics of all processes. */
  metricsText(): Promise<string> {
    return this.#ask({ trestle: 'metrics' });
  }

  /**
   * Calls `finish` when the supervisor has ended without having stopped this process, which would otherwise end at once,
   * with the requests under way. What only the supervisor could answer fails.
   */
  onLoss(finish: () => void): void {
    const { worker } = cluster;
    worker?.once('disconnect', () => {
      if (this.#hasLeft) return;
      worker.exitedAfterDisconnect = true;
      for (const { reject } of this.#pending.values()) reject(lost());
      this.#pending.clear();
      finish();
    });
  }

  /** Called last when a process stops: without the connection to the supervisor, nothing keeps it alive. */
  leave(): void {
    this.#hasLeft = true;
    if (process.connected) process.disconnect();
  }

  /** Sends a question and resolves with its answer. */
  #ask(question: Unnumbered<FromServing>): Promise<string> {
    if (!process.connected) return Promise.reject(lost());
    this.#calls += 1;
    const call = this.#calls;
    return new Promise((resolve, reject) => {
      this.#pending.set(call, { resolve, reject });
      this.#send({ ...question, call } as FromServing);
    });
  }

  #hear(message: ToServing): void {
    switch (message.trestle) {
      case 'there?':
        return this.#send({ trestle: 'here' });
      case 'answer':
        this.#pending.get(message.call)?.resolve(message.text ?? '');
        this.#pending.delete(message.call);
        return;
      case 'take':
        this.#taken = this.#taken.then(() => this.#takeOne(message));
    }
  }

  async #takeOne({ call, name, text }: Extract<ToServing, { trestle: 'take' }>): Promise<void> {
    try {
      await this.#take(name, text);
      this.#send({ trestle: 'taken', call });
    } catch (error) {
      this.#send({ trestle: 'taken', call, error: (error as Error).message });
    }
  }

  #send(message: FromServing): void {
    if (process.connected) process.send?.(message);
  }
}

function lost(): BusyError {
  return new BusyError('the server is stopping, try again later\n', RETRY_S);
}

/** Reports to the supervisor why this process ends, and ends it. */
export function reportFailure(message: string, exitCode: number): void {
  const failed: FromServing = { trestle: 'failed', message, exitCode };
  if (process.send === undefined) process.exit(exitCode);
  process.send(failed, () => process.exit(exitCode));
}
