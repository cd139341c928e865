/** Changes of the registry in a serving process: made here first, then by all others, then answered. */

import { AggregatorRegistry } from 'prom-client';
import type { Graph } from '../../native/types.js';
import type { LocalControl, PutOutcome, ReplaceOutcome, RouterControl, SentGraph } from '../../registry/control.js';
import type { ServedGraph } from '../../registry/graph-source.js';
import type { RouterRegistry } from '../../registry/registry.js';
import type { GraphHandle } from '../../registry/router.js';
import type { ProcessValues } from '../../sharing/process-values.js';
import type { ServerParts } from '../create-deps.js';
import { type Change, type FromWorker, isOurs, LOCKS, STARTED, type ToWorker } from './messages.js';

type Unnumbered<M> = M extends { call: number } ? Omit<M, 'call'> : never;

/** The connection to the supervisor. */
export class SupervisorLine {
  readonly #pending = new Map<number, (text: string) => void>();
  #calls = 0;
  #applied: Promise<unknown> = Promise.resolve();

  /** `apply` makes a change that another process has made; changes come one after the other. */
  constructor(apply: (change: Change) => Promise<unknown>) {
    process.on('message', (message) => {
      if (!isOurs<ToWorker>(message)) return;
      if (message.trestle === 'there?') return this.tell({ trestle: 'here' });
      const { call } = message;
      if (message.trestle === 'answer') {
        this.#pending.get(call)?.(message.text ?? '');
        this.#pending.delete(call);
        return;
      }
      this.#applied = this.#applied
        .then(() => apply(message.change))
        .then(
          () => this.tell({ trestle: 'applied', call }),
          (error: Error) => this.tell({ trestle: 'applied', call, error: error.message }),
        );
    });
  }

  /** Sends a question and resolves with its answer. */
  ask(question: Unnumbered<FromWorker>): Promise<string> {
    this.#calls += 1;
    const call = this.#calls;
    return new Promise((resolve) => {
      this.#pending.set(call, resolve);
      this.tell({ ...question, call } as FromWorker);
    });
  }

  /** Runs `work` while nobody else holds the lock with this name. */
  async alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.ask({ trestle: 'lock', name });
    try {
      return await work();
    } finally {
      this.tell({ trestle: 'unlock', name });
    }
  }

  /** Sends without waiting. */
  tell(message: FromWorker): void {
    process.send?.(message);
  }
}

/** The registry's control in one of several processes. */
export class WorkerControl<G extends GraphHandle> implements RouterControl {
  readonly #line: SupervisorLine;
  readonly #joined: Promise<void>;
  #join: () => void = () => {};

  constructor(
    private readonly local: LocalControl<G>,
    private readonly registry: RouterRegistry<G>,
    private readonly values: ProcessValues,
  ) {
    this.#line = new SupervisorLine((change) => this.#follow(change));
    this.#joined = new Promise((resolve) => {
      this.#join = resolve;
    });
    values.shareWith(
      (name, change) =>
        this.#line.alone(LOCKS.value(name), async () => {
          await this.#joined;
          await this.#announce({ kind: 'value', name, text: await change() });
        }),
      (name, work) => this.#line.alone(LOCKS.shared(name), work),
    );
  }

  /** Brings this process up to date. The first of all loads the routers of the start with `loadFirst`. */
  async join(loadFirst: () => Promise<void>): Promise<void> {
    await this.#line.alone(LOCKS.start, async () => {
      const answer = await this.#line.ask({ trestle: 'join' });
      this.#join();
      if (answer === STARTED) return;
      await loadFirst();
      this.#line.tell({ trestle: 'started' });
    });
  }

  /** Resolves when this process is the one that looks for new and changed graphs, which may be never. */
  async becomeWatcher(): Promise<void> {
    await this.#line.ask({ trestle: 'lock', name: LOCKS.watch });
  }

  /** The last action of a process that stops: without the connection to the supervisor, nothing keeps it alive. */
  leave(): void {
    if (process.connected) process.disconnect();
  }

  /** Metrics of all processes. */
  metricsText(): Promise<string> {
    return this.#line.ask({ trestle: 'metrics' });
  }

  put(id: string, preEvict: boolean, asKept?: boolean): Promise<PutOutcome> {
    return this.#change(id, () => this.local.put(id, preEvict, asKept));
  }

  async reloadAll(preEvict: boolean, force: boolean): Promise<void> {
    for (const { id } of this.registry.list()) {
      await this.#change(id, () => this.local.reload(id, preEvict, force));
    }
  }

  replace(id: string, sent: SentGraph, preEvict: boolean): Promise<ReplaceOutcome> {
    return this.#change(id, () => this.local.replace(id, sent, preEvict));
  }

  evict(id: string): Promise<boolean> {
    return this.#change(id, () => this.local.evict(id));
  }

  async evictAll(): Promise<number> {
    const evicted = await Promise.all(this.registry.list().map(({ id }) => this.evict(id)));
    return evicted.filter(Boolean).length;
  }

  saving<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#line.alone(LOCKS.save(id), work);
  }

  /** Makes a change of a router while no other process makes one, and sends the others the state after it. */
  #change<T>(id: string, change: () => Promise<T>): Promise<T> {
    return this.#line.alone(LOCKS.router(id), async () => {
      await this.#joined;
      const before = this.registry.sourceOf(id);
      try {
        return await change();
      } finally {
        // Also after a failure, which may have removed the router.
        const now = this.registry.sourceOf(id);
        if (now !== before) await this.#announce(presentState(id, now?.served));
      }
    });
  }

  async #announce(change: Change): Promise<void> {
    await this.#line.ask({ trestle: 'announce', change });
  }

  /** Makes a change that another process has made. */
  async #follow(change: Change): Promise<void> {
    switch (change.kind) {
      case 'serve':
        return this.local.follow(change.id, change.graph);
      case 'evict':
        await this.local.evict(change.id);
        return;
      case 'value':
        return this.values.take(change.name, change.text);
    }
  }
}

function presentState(id: string, graph: ServedGraph | undefined): Change {
  return graph === undefined ? { kind: 'evict', id } : { kind: 'serve', id, graph };
}

/** Tells the supervisor why this process ends, and ends it. */
export function reportFailure(message: string, exitCode: number): void {
  const failed: FromWorker = { trestle: 'failed', message, exitCode };
  if (process.send === undefined) process.exit(exitCode);
  process.send(failed, () => process.exit(exitCode));
}

/** The parts of a server that is one of several: changes and metrics go through the supervisor. */
export function joinCluster(parts: ServerParts): { parts: ServerParts; control: WorkerControl<Graph> } {
  parts.localControl.shareGraphs();
  const control = new WorkerControl(parts.localControl, parts.registry, parts.shared.own);
  parts.everywhere?.actThrough(control);
  AggregatorRegistry.setRegistries([parts.metrics.registry]);
  new AggregatorRegistry(); // answers the supervisor's questions from now on
  return { parts: { ...parts, control, metricsText: () => control.metricsText() }, control };
}
