/**
 * `--workers N`: one process that serves nothing itself. It starts the serving processes, restarts them when they die,
 * keeps the values that they share, and adds up their metrics. All of them map the same graph files, so a graph is in
 * memory only once.
 */

import type { Worker as ServingProcess } from 'node:cluster';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import { removeServed, type ServedGraph } from '../../registry/graph-source.js';
import { servedGraphs } from '../../registry/served-graphs.js';
import type { Spool } from '../../registry/spool.js';
import { ProcessValues } from '../../sharing/process-values.js';
import { type FromServing, isOurs, type ToServing } from './messages.js';
import { NamedLocks } from './named-locks.js';
import { PROCESS_RULES, type ProcessFailure, type ProcessRules, ServingProcesses } from './serving-processes.js';

/** A process that answers but has not taken a value within this time is replaced, milliseconds. */
const TAKE_TIMEOUT_MS = 120_000;

/** The supervisor among the owners of locks; serving processes are counted from 1. */
const SELF = 0;

/** Starts serving processes and keeps that many alive until `stop`. */
export class Supervisor {
  readonly #metrics = new AggregatorRegistry();
  readonly #locks = new NamedLocks<number>();
  readonly #processes: ServingProcesses;
  /** The values that the serving processes share; the supervisor shares them too. */
  readonly values = new ProcessValues({
    withLock: (name, work) => this.#withLock(name, work),
    broadcast: (name, text) => this.#broadcast(name, text, this.#processes.joined()),
  });
  readonly #served = servedGraphs(this.values, async (id, graph) => this.#note(id, graph));
  /** The served graphs by router id. */
  readonly #graphs = new Map<string, ServedGraph>();
  /** Graphs that no process serves any more once all have taken the present change. */
  #previous: ServedGraph[] = [];
  /** Values that were sent to a serving process and are not yet answered. */
  readonly #pending = new Map<number, (error?: string) => void>();
  #calls = 0;

  /** `spool` holds the files that serving processes receive and share. */
  constructor(
    private readonly logger: Logger,
    private readonly spool: Spool,
    rules: Partial<ProcessRules> = {},
  ) {
    this.#processes = new ServingProcesses(
      logger,
      { ...PROCESS_RULES, ...rules },
      {
        message: (serving, message) => {
          if (!isOurs<FromServing>(message)) return;
          this.#hear(serving, message).catch((error) => this.logger.error({ err: error }, 'supervisor failed'));
        },
        died: (serving) => void this.#clearAfter(serving),
        ask: (serving) => send(serving, { trestle: 'there?' }),
      },
    );
  }

  /** Resolves when the serving processes cannot serve: none could start, or one of them died again and again. */
  get failure(): Promise<ProcessFailure> {
    return this.#processes.failure;
  }

  /** Has all serving processes serve a graph from their start, under the empty id. */
  async begin(graph: ServedGraph): Promise<void> {
    await this.#served.change(() => new Map([['', graph]]));
  }

  /** Forks the processes; they run the same command line. */
  start(count: number): void {
    this.#processes.start(count);
  }

  /** Asks all serving processes to finish; resolves when the last one and their files in the spool are gone. */
  async stop(): Promise<void> {
    await this.#processes.stop();
    // Each process has left the copies of the graphs to the others.
    await this.spool.close();
  }

  async #hear(serving: ServingProcess, message: FromServing): Promise<void> {
    switch (message.trestle) {
      case 'join':
        this.#processes.join(serving);
        await Promise.all([...this.values.texts].map(([name, text]) => this.#sendTo(serving, name, text)));
        return send(serving, { trestle: 'answer', call: message.call });
      case 'lock':
        await this.#locks.acquire(message.name, serving.id);
        return send(serving, { trestle: 'answer', call: message.call });
      case 'unlock':
        return this.#locks.release(message.name, serving.id);
      case 'broadcast':
        await this.#broadcastFrom(serving, message.name, message.text);
        return send(serving, { trestle: 'answer', call: message.call });
      case 'taken':
        return this.#pending.get(message.call)?.(message.error);
      case 'metrics':
        return send(serving, { trestle: 'answer', call: message.call, text: await this.#allMetrics() });
      case 'failed':
        return this.#processes.cannotServe(serving, message);
      case 'here':
        return;
    }
  }

  /** A process that is dying may not answer in time; the next request for metrics is complete again. */
  #allMetrics(): Promise<string> {
    return this.#metrics.clusterMetrics().catch((error) => {
      this.logger.warn({ err: error }, 'metrics are incomplete');
      return '';
    });
  }

  async #withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.#locks.acquire(name, SELF);
    try {
      return await work();
    } finally {
      this.#locks.release(name, SELF);
    }
  }

  async #broadcastFrom(author: ServingProcess, name: string, text: string): Promise<void> {
    await this.values.take(name, text);
    const previous = this.#previous;
    this.#previous = [];
    const others = this.#processes.joined().filter(({ id }) => id !== author.id);
    await this.#broadcast(name, text, others);
    await Promise.all(previous.map(removeServed));
  }

  async #broadcast(name: string, text: string, processes: readonly ServingProcess[]): Promise<void> {
    await Promise.all(processes.map((serving) => this.#sendTo(serving, name, text)));
  }

  /** Resolves when the process has taken the value, or has ended. A process that cannot take it is replaced. */
  #sendTo(serving: ServingProcess, name: string, text: string): Promise<void> {
    this.#calls += 1;
    const call = this.#calls;
    return new Promise((resolve) => {
      const late = setTimeout(() => this.#processes.replace(serving, 'it does not take a value'), TAKE_TIMEOUT_MS);
      const done = () => {
        clearTimeout(late);
        serving.off('exit', done);
        this.#pending.delete(call);
        resolve();
      };
      const taken = (error?: string) => {
        // Taking a value may fail when a later one has already replaced it, because a file has been removed.
        if (error === undefined || this.values.texts.get(name) !== text) return done();
        this.#processes.replace(serving, `it cannot take a value: ${error}`);
      };
      serving.once('exit', done);
      this.#pending.set(call, taken);
      send(serving, { trestle: 'take', call, name, text });
    });
  }

  #note(id: string, graph: ServedGraph | undefined): void {
    const previous = this.#graphs.get(id);
    if (previous !== undefined) this.#previous.push(previous);
    if (graph === undefined) this.#graphs.delete(id);
    else this.#graphs.set(id, graph);
  }

  async #clearAfter(serving: ServingProcess): Promise<void> {
    this.#locks.releaseAll(serving.id);
    const { pid } = serving.process;
    if (pid === undefined) return;
    const used = [...this.#graphs.values()].map(({ pinned }) => pinned);
    await this.spool.clearAfter(pid, used).catch((error) => this.logger.warn({ err: error }));
  }
}

function send(serving: ServingProcess, message: ToServing): void {
  if (serving.isConnected()) serving.send(message);
}
