/** Changes of the registry in a serving process: made here first, then by all others, then answered. */

import { AggregatorRegistry } from 'prom-client';
import type { AlertStore } from '../../alerts/alert-store.js';
import type { Graph } from '../../native/types.js';
import type { LocalControl, PutOutcome, ReplaceOutcome, RouterControl, SentGraph } from '../../registry/control.js';
import type { RouterRegistry } from '../../registry/registry.js';
import type { GraphHandle } from '../../registry/router.js';
import type { ServerParts } from '../create-deps.js';
import { type Change, type FromWorker, isOurs, type ToWorker } from './messages.js';

type Unnumbered<M> = M extends { call: number } ? Omit<M, 'call'> : never;

/** The line to the supervisor. */
export class SupervisorLine {
  readonly #pending = new Map<number, (text: string) => void>();
  #calls = 0;
  #applied: Promise<unknown> = Promise.resolve();

  /** `apply` makes a change that another process has made; changes come one after the other. */
  constructor(apply: (change: Change) => Promise<unknown>) {
    process.on('message', (message) => {
      if (!isOurs<ToWorker>(message)) return;
      const { call } = message;
      if (message.trestle === 'answer') {
        this.#pending.get(call)?.(message.text ?? '');
        this.#pending.delete(call);
        return;
      }
      this.#applied = this.#applied
        .then(() => apply(message.change))
        .catch(() => {})
        .then(() => this.tell({ trestle: 'applied', call }));
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

  /** Sends without waiting. */
  tell(message: FromWorker): void {
    process.send?.(message);
  }
}

/** The registry's control in one of several processes. */
export class WorkerControl<G extends GraphHandle> implements RouterControl {
  readonly #line: SupervisorLine;

  constructor(
    private readonly local: LocalControl<G>,
    private readonly registry: RouterRegistry<G>,
    alerts: AlertStore,
  ) {
    this.#line = new SupervisorLine((change) => applyChange(local, alerts, change));
    alerts.shareWith((patches) => this.#announce({ kind: 'alerts', patches }));
  }

  /** Makes up for what changed before this process began; call it when the routers of the start are loaded. */
  async catchUp(): Promise<void> {
    await this.#line.ask({ trestle: 'catch-up' });
  }

  /** The last act of a process that stops: without the line to the supervisor nothing keeps it alive. */
  leave(): void {
    if (process.connected) process.disconnect();
  }

  /** Figures of all processes. */
  figures(): Promise<string> {
    return this.#line.ask({ trestle: 'figures' });
  }

  put(id: string, preEvict: boolean): Promise<PutOutcome> {
    return this.#exclusively(id, async () => {
      const outcome = await this.local.put(id, preEvict);
      const loaded = outcome === 'registered' || outcome === 'reloaded';
      // A sent graph that is its own source was not read again: the others have it already.
      if (loaded && this.registry.sourceOf(id)?.kind === 'disk') await this.#announce({ kind: 'put', id, preEvict });
      return outcome;
    });
  }

  async reloadAll(preEvict: boolean, force: boolean): Promise<void> {
    for (const { id } of this.registry.list()) {
      const outcome = await this.put(id, preEvict);
      if (outcome === 'reload-failed' && force) await this.evict(id);
    }
  }

  replace(id: string, sent: SentGraph, preEvict: boolean): Promise<ReplaceOutcome> {
    return this.#exclusively(id, async () => {
      const outcome = await this.local.replace(id, sent, preEvict);
      if (outcome.kind === 'registered') await this.#announce({ kind: 'adopt', id, file: sent.file, preEvict });
      return outcome;
    });
  }

  evict(id: string): Promise<boolean> {
    return this.#exclusively(id, async () => {
      const evicted = await this.local.evict(id);
      if (evicted) await this.#announce({ kind: 'evict', id });
      return evicted;
    });
  }

  async evictAll(): Promise<number> {
    const evicted = await Promise.all(this.registry.list().map(({ id }) => this.evict(id)));
    return evicted.filter(Boolean).length;
  }

  async #exclusively<T>(id: string, change: () => Promise<T>): Promise<T> {
    await this.#line.ask({ trestle: 'lock', id });
    try {
      return await change();
    } finally {
      this.#line.tell({ trestle: 'unlock', id });
    }
  }

  async #announce(change: Change): Promise<void> {
    await this.#line.ask({ trestle: 'announce', change });
  }
}

async function applyChange<G extends GraphHandle>(
  local: LocalControl<G>,
  alerts: AlertStore,
  change: Change,
): Promise<unknown> {
  switch (change.kind) {
    case 'put':
      return local.put(change.id, change.preEvict);
    case 'adopt':
      return local.adopt(change.id, { file: change.file }, change.preEvict, false);
    case 'evict':
      return local.evict(change.id);
    case 'alerts':
      return alerts.take(change.patches);
  }
}

/** The parts of a server that is one of several: changes and figures go through the supervisor. */
export function joinCluster(parts: ServerParts): { parts: ServerParts; control: WorkerControl<Graph> } {
  const control = new WorkerControl(parts.localControl, parts.registry, parts.alerts);
  AggregatorRegistry.setRegistries([parts.metrics.registry]);
  new AggregatorRegistry(); // answers the supervisor's questions from now on
  return { parts: { ...parts, control, figures: () => control.figures() }, control };
}
