/** Messages between the supervising process and the serving processes. */

import type { ServedGraph } from '../../registry/graph-source.js';

/** A change by one process that all must follow. Each gives the new state, not the difference. */
export type Change =
  | { readonly kind: 'serve'; readonly id: string; readonly graph: ServedGraph }
  | { readonly kind: 'evict'; readonly id: string }
  /** A value that the processes share. */
  | { readonly kind: 'value'; readonly name: string; readonly text: string };

/** Names of the locks. Only the process that holds one makes such changes. */
export const LOCKS = {
  router: (id: string) => `router ${id}`,
  /** Writing into the directory of a router. */
  save: (id: string) => `save ${id}`,
  value: (name: string) => `value ${name}`,
  /** Other work that one process does for all, for example on files that hosts share. */
  shared: (name: string) => `shared ${name}`,
  /** Joining the others. */
  start: 'start',
  /** Looking for new and changed graphs. */
  watch: 'watch',
} as const;

/** From a worker to the supervisor. `call` matches a question with its answer. */
export type FromWorker =
  /** Wants the lock of this name. */
  | { readonly trestle: 'lock'; readonly call: number; readonly name: string }
  | { readonly trestle: 'unlock'; readonly name: string }
  /** Has made a change, which the others must follow. */
  | { readonly trestle: 'announce'; readonly call: number; readonly change: Change }
  /** Has applied a change, or could not. */
  | { readonly trestle: 'applied'; readonly call: number; readonly error?: string }
  /** Asks for the metrics of all processes. */
  | { readonly trestle: 'metrics'; readonly call: number }
  /** Wants to receive all changes, starting with the past ones; answered with `STARTED` or nothing. */
  | { readonly trestle: 'join'; readonly call: number }
  /** Has loaded the routers of the start. */
  | { readonly trestle: 'started' }
  /** Ends because it cannot serve. */
  | { readonly trestle: 'failed'; readonly message: string; readonly exitCode: number }
  /** Answers the question whether it is there. */
  | { readonly trestle: 'here' };

/** From the supervisor to a worker. */
export type ToWorker =
  | { readonly trestle: 'answer'; readonly call: number; readonly text?: string }
  | { readonly trestle: 'apply'; readonly call: number; readonly change: Change }
  | { readonly trestle: 'there?' };

/** The answer to `join` when the routers of the start have been loaded. */
export const STARTED = 'started';

/** Whether a message is one of these; libraries send others over the same channel. */
export function isOurs<M extends { trestle: string }>(message: unknown): message is M {
  return typeof message === 'object' && message !== null && 'trestle' in message;
}
