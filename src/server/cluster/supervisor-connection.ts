/** The connection of a serving process to the supervisor, and through it to the other serving processes. */

import type { OtherProcesses } from '../../sharing/process-values.js';
import { type FromServing, isOurs, type ToServing } from './messages.js';

type Unnumbered<M> = M extends { call: number } ? Omit<M, 'call'> : never;

/** Takes a value that another process has changed. */
type TakeValue = (name: string, text: string) => Promise<unknown>;

/** One for each process. */
export class SupervisorConnection implements OtherProcesses {
  readonly #pending = new Map<number, (text: string) => void>();
  #calls = 0;
  #take: TakeValue = async () => {};
  /** Values are taken one after the other. */
  #taken: Promise<unknown> = Promise.resolve();
  readonly #joined: Promise<void>;
  #isJoined: () => void = () => {};

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

  async alone<T>(name: string, work: () => Promise<T>): Promise<T> {
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

  /** Called last when a process stops: without the connection to the supervisor, nothing keeps it alive. */
  leave(): void {
    if (process.connected) process.disconnect();
  }

  /** Sends a question and resolves with its answer. */
  #ask(question: Unnumbered<FromServing>): Promise<string> {
    this.#calls += 1;
    const call = this.#calls;
    return new Promise((resolve) => {
      this.#pending.set(call, resolve);
      this.#send({ ...question, call } as FromServing);
    });
  }

  #hear(message: ToServing): void {
    switch (message.trestle) {
      case 'there?':
        return this.#send({ trestle: 'here' });
      case 'answer':
        this.#pending.get(message.call)?.(message.text ?? '');
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
    process.send?.(message);
  }
}

/** Reports to the supervisor why this process ends, and ends it. */
export function reportFailure(message: string, exitCode: number): void {
  const failed: FromServing = { trestle: 'failed', message, exitCode };
  if (process.send === undefined) process.exit(exitCode);
  process.send(failed, () => process.exit(exitCode));
}
