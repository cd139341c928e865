/**
 * `--workers N`: one process that serves nothing itself. It starts the serving processes, starts them again when they
 * die, orders their changes of the registry, and adds up their figures. All of them map the same graph files, so that
 * a graph is in memory once.
 */

import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import { type Change, type FromWorker, isOurs, subject, type ToWorker } from './messages.js';
import { RouterLocks } from './router-locks.js';

const APPLY_TIMEOUT_MS = 120_000;
const RESTART_PAUSE_MS = 1000;

/** Starts `count` workers and keeps that many alive until `stop`. */
export class Supervisor {
  readonly #figures = new AggregatorRegistry();
  readonly #locks = new RouterLocks<number>();
  /** The last change of each subject since the start, for workers that come later. */
  readonly #changes = new Map<string, Change>();
  readonly #pending = new Map<number, () => void>();
  #calls = 0;
  #stopping = false;

  constructor(private readonly logger: Logger) {}

  /** Forks the workers; they run the same command line. */
  start(count: number): void {
    // Workers accept for themselves: a connection handed to a worker that dies at that moment would hang for ever.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.on('message', (worker, message) => {
      if (!isOurs<FromWorker>(message)) return;
      this.#hear(worker, message).catch((error) => this.logger.error({ err: error, message }, 'supervisor failed'));
    });
    cluster.on('exit', (worker, code, signal) => {
      this.#locks.releaseAll(worker.id);
      if (this.#stopping) return;
      this.logger.error({ worker: worker.id, code, signal }, 'worker died, another one is started');
      setTimeout(() => !this.#stopping && cluster.fork(), RESTART_PAUSE_MS);
    });
    for (let i = 0; i < count; i += 1) cluster.fork();
  }

  /** Asks all workers to finish; resolves when the last one has gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const workers = this.#workers();
    const gone = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    for (const worker of workers) worker.process.kill('SIGTERM');
    await Promise.all(gone);
  }

  async #hear(worker: Worker, message: FromWorker): Promise<void> {
    switch (message.trestle) {
      case 'lock':
        await this.#locks.acquire(message.id, worker.id);
        return send(worker, { trestle: 'answer', call: message.call });
      case 'unlock':
        return this.#locks.release(message.id, worker.id);
      case 'announce':
        await this.#tellOthers(worker, message.change);
        return send(worker, { trestle: 'answer', call: message.call });
      case 'applied':
        this.#pending.get(message.call)?.();
        return;
      case 'figures':
        return send(worker, { trestle: 'answer', call: message.call, text: await this.#allFigures() });
      case 'catch-up':
        await Promise.all([...this.#changes.values()].map((change) => this.#apply(worker, change)));
        return send(worker, { trestle: 'answer', call: message.call });
    }
  }

  /** A process that is dying may not answer in time; the figures come with the next question. */
  #allFigures(): Promise<string> {
    return this.#figures.clusterMetrics().catch((error) => {
      this.logger.warn({ err: error }, 'figures are incomplete');
      return '';
    });
  }

  async #tellOthers(author: Worker, change: Change): Promise<void> {
    this.#changes.delete(subject(change));
    this.#changes.set(subject(change), change);
    const others = this.#workers().filter((worker) => worker.id !== author.id);
    await Promise.all(others.map((worker) => this.#apply(worker, change)));
  }

  /** Resolves when the worker has made the change, is gone, or does not say so in time. */
  #apply(worker: Worker, change: Change): Promise<void> {
    this.#calls += 1;
    const call = this.#calls;
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        worker.off('exit', done);
        this.#pending.delete(call);
        resolve();
      };
      const timer = setTimeout(() => {
        this.logger.error({ worker: worker.id, change }, 'a worker did not follow a change of the registry');
        done();
      }, APPLY_TIMEOUT_MS);
      worker.once('exit', done);
      this.#pending.set(call, done);
      send(worker, { trestle: 'apply', call, change });
    });
  }

  #workers(): Worker[] {
    return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  }
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}
