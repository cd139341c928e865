/**
 * `--workers N`: one process that serves nothing itself. It starts the serving processes, restarts them when they die,
 * orders their changes of the registry, and adds up their metrics. All of them map the same graph files, so a graph is
 * in memory only once.
 */

import type { Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import type { Spool } from '../../registry/spool.js';
import { CREW_RULES, Crew, type CrewFailure, type CrewRules } from './crew.js';
import { type Change, type FromWorker, isOurs, STARTED, type ToWorker } from './messages.js';
import { NamedLocks } from './named-locks.js';
import { removeServed, SharedState } from './shared-state.js';

/** A process that answers but has not made a change within this time will not make it. */
const APPLY_TIMEOUT_MS = 120_000;

/** Starts workers and keeps that many alive until `stop`. */
export class Supervisor {
  readonly #metrics = new AggregatorRegistry();
  readonly #locks = new NamedLocks<number>();
  readonly #state = new SharedState();
  readonly #crew: Crew;
  /** Changes sent to a worker that it has not answered. */
  readonly #pending = new Map<number, (error?: string) => void>();
  #calls = 0;
  #started = false;

  /** `spool` holds the files that workers receive and share. */
  constructor(
    private readonly logger: Logger,
    private readonly spool: Spool,
    rules: Partial<CrewRules> = {},
  ) {
    this.#crew = new Crew(
      logger,
      { ...CREW_RULES, ...rules },
      {
        message: (worker, message) => {
          if (!isOurs<FromWorker>(message)) return;
          this.#hear(worker, message).catch((error) => this.logger.error({ err: error }, 'supervisor failed'));
        },
        died: (worker) => void this.#clearAfter(worker),
        ask: (worker) => send(worker, { trestle: 'there?' }),
      },
    );
  }

  /** Resolves when the workers cannot serve: none could start, or one of them dies again and again. */
  get failure(): Promise<CrewFailure> {
    return this.#crew.failure;
  }

  /** What all workers serve from their start; with `complete` they load nothing else. */
  begin(changes: readonly Change[], complete: boolean): void {
    for (const change of changes) this.#state.take(change);
    this.#started = complete;
  }

  /** Forks the workers; they run the same command line. */
  start(count: number): void {
    this.#crew.start(count);
  }

  /** Asks all workers to finish; resolves when the last one has gone. */
  async stop(): Promise<void> {
    await this.#crew.stop();
  }

  async #hear(worker: Worker, message: FromWorker): Promise<void> {
    switch (message.trestle) {
      case 'lock':
        await this.#locks.acquire(message.name, worker.id);
        return send(worker, { trestle: 'answer', call: message.call });
      case 'unlock':
        return this.#locks.release(message.name, worker.id);
      case 'announce':
        await this.#tellOthers(worker, message.change);
        return send(worker, { trestle: 'answer', call: message.call });
      case 'applied':
        return this.#pending.get(message.call)?.(message.error);
      case 'metrics':
        return send(worker, { trestle: 'answer', call: message.call, text: await this.#allFigures() });
      case 'join':
        this.#crew.join(worker);
        await Promise.all(this.#state.changes().map((change) => this.#apply(worker, change)));
        return send(worker, { trestle: 'answer', call: message.call, text: this.#started ? STARTED : '' });
      case 'started':
        this.#started = true;
        return;
      case 'failed':
        return this.#crew.cannotServe(worker, message);
      case 'here':
        return;
    }
  }

  /** A process that is dying may not answer in time; the next request for metrics will be complete. */
  #allFigures(): Promise<string> {
    return this.#metrics.clusterMetrics().catch((error) => {
      this.logger.warn({ err: error }, 'metrics are incomplete');
      return '';
    });
  }

  async #tellOthers(author: Worker, change: Change): Promise<void> {
    const former = this.#state.take(change);
    const others = this.#crew.joined().filter(({ id }) => id !== author.id);
    await Promise.all(others.map((worker) => this.#apply(worker, change)));
    if (former !== undefined) await removeServed(former);
  }

  /** Resolves when the worker has made the change or has ended: one that cannot follow is replaced. */
  #apply(worker: Worker, change: Change): Promise<void> {
    this.#calls += 1;
    const call = this.#calls;
    return new Promise((resolve) => {
      const late = setTimeout(() => this.#crew.replace(worker, 'it does not follow a change'), APPLY_TIMEOUT_MS);
      const done = () => {
        clearTimeout(late);
        worker.off('exit', done);
        this.#pending.delete(call);
        resolve();
      };
      const applied = (error?: string) => {
        // A change that a later one replaces may fail, because its file has been removed.
        if (error === undefined || !this.#state.isPresent(change)) return done();
        this.#crew.replace(worker, `it cannot follow a change: ${error}`);
      };
      worker.once('exit', done);
      this.#pending.set(call, applied);
      send(worker, { trestle: 'apply', call, change });
    });
  }

  async #clearAfter(worker: Worker): Promise<void> {
    this.#locks.releaseAll(worker.id);
    const { pid } = worker.process;
    if (pid === undefined) return;
    await this.spool.clearAfter(pid, this.#state.files()).catch((error) => this.logger.warn({ err: error }));
  }
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}
