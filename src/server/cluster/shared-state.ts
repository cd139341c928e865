/** What all serving processes agree about. */

import { removeLeftover, removeSentFile, type ServedGraph } from '../../registry/graph-source.js';
import type { Change } from './messages.js';

/** The last change of every router and of every value, kept by the supervisor. */
export class SharedState {
  /** Graphs by router id, in the order of registration, which requests can see. */
  readonly #graphs = new Map<string, ServedGraph>();
  readonly #values = new Map<string, Change>();

  /** Adds a change; resolves with what no process needs once all have followed it. */
  take(change: Change): ServedGraph | undefined {
    if (change.kind === 'value') {
      this.#values.set(change.name, change);
      return undefined;
    }
    const former = this.#graphs.get(change.id);
    if (change.kind === 'serve') this.#graphs.set(change.id, change.graph);
    else this.#graphs.delete(change.id);
    return former;
  }

  /** The changes that bring a new process up to date. */
  changes(): Change[] {
    const graphs = [...this.#graphs].map(([id, graph]): Change => ({ kind: 'serve', id, graph }));
    return [...graphs, ...this.#values.values()];
  }

  /**
   * Whether a process that failed to make this change disagrees with the others, because no later change has replaced
   * it.
   */
  isPresent(change: Change): boolean {
    if (change.kind === 'value') return this.#values.get(change.name) === change;
    const graph = this.#graphs.get(change.id);
    return change.kind === 'serve' ? graph === change.graph : graph === undefined;
  }

  /** Files that the graphs are served from. */
  files(): string[] {
    return [...this.#graphs.values()].map(({ pinned }) => pinned);
  }
}

/** Removes the files that a graph was served from, unless they are permanent. */
export async function removeServed({ kind, pinned, temporary }: ServedGraph): Promise<void> {
  if (!temporary) return;
  if (kind === 'sent') await removeSentFile(pinned);
  else await removeLeftover(pinned);
}
