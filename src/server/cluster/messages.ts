/** What the supervising process and the serving processes tell each other. */

import type { AlertPatch } from '../../native/types.js';

/** A change that every process has to make. */
export type Change =
  | { readonly kind: 'put'; readonly id: string; readonly preEvict: boolean }
  | { readonly kind: 'adopt'; readonly id: string; readonly file: string; readonly preEvict: boolean }
  | { readonly kind: 'evict'; readonly id: string }
  /** All alerts that were sent to the server. */
  | { readonly kind: 'alerts'; readonly patches: readonly AlertPatch[] };

/** What a change is about: of several such changes only the last counts. */
export function subject(change: Change): string {
  return change.kind === 'alerts' ? 'alerts' : `router ${change.id}`;
}

/** From a worker to the supervisor. `call` pairs a question with its answer. */
export type FromWorker =
  /** Wants to be the only one that changes this router. */
  | { readonly trestle: 'lock'; readonly call: number; readonly id: string }
  | { readonly trestle: 'unlock'; readonly id: string }
  /** Has made a change; the others shall make it too. */
  | { readonly trestle: 'announce'; readonly call: number; readonly change: Change }
  /** Has made a change that it was told of, or could not. */
  | { readonly trestle: 'applied'; readonly call: number }
  /** Asks for the figures of all processes. */
  | { readonly trestle: 'figures'; readonly call: number }
  /** Has loaded the routers of the start, and asks for the changes since; answered when it has made them. */
  | { readonly trestle: 'catch-up'; readonly call: number };

/** From the supervisor to a worker. */
export type ToWorker =
  | { readonly trestle: 'answer'; readonly call: number; readonly text?: string }
  | { readonly trestle: 'apply'; readonly call: number; readonly change: Change };

/** Whether a message is one of ours; libraries send others over the same channel. */
export function isOurs<M extends { trestle: string }>(message: unknown): message is M {
  return typeof message === 'object' && message !== null && 'trestle' in message;
}
