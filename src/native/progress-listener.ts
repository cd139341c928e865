/** Work whose progress a program listens to. */

import { setImmediate } from 'node:timers/promises';
import { TrestleError } from './errors.js';
import { SIGNAL } from './rules.js';
import type { WorkProgress } from './types.js';

/** What the addon calls with the progress, and what stops the work. */
interface Listening {
  readonly onProgress?: ((progress: WorkProgress) => unknown) | null;
  readonly signal?: AbortSignal | null;
}

/**
 * Stops the work when its listener throws or rejects, and rejects with `ABORTED`. The addon calls listeners outside of
 * any function of the program, so nothing could catch their errors, and the process would end. It still does when the
 * listener fails later, while the contents of an open graph are being checked.
 */
export async function whileListening<T extends object>(
  { onProgress, signal }: Listening,
  work: (listening: Listening) => Promise<T>,
): Promise<T> {
  // The addon refuses a wrong signal.
  if (typeof onProgress !== 'function' || (signal && !SIGNAL.isUsable(signal))) return work({ onProgress, signal });
  const stop = new AbortController();
  const pending = new Set<Promise<void>>();
  let failure: TrestleError | undefined;
  let hasEnded = false;
  const fail = (cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    failure ??= new TrestleError('ABORTED', `onProgress has failed: ${reason}`, { cause });
    stop.abort();
  };
  const report = async (progress: WorkProgress) => {
    try {
      if (failure === undefined) await onProgress(progress);
    } catch (error) {
      if (hasEnded) throw error;
      fail(error);
    }
  };
  const listener = (progress: WorkProgress) => {
    const call = report(progress).finally(() => pending.delete(call));
    pending.add(call);
  };
  const unlink = link(signal, stop);
  try {
    const result = await work({ onProgress: listener, signal: stop.signal })
      .catch((error) => {
        throw failure ?? error;
      })
      .finally(() => lastCalls(pending));
    if (failure === undefined) return result;
    (result as { dispose?: () => void }).dispose?.();
    throw failure;
  } finally {
    hasEnded = true;
    unlink();
  }
}

/** Waits for what the listener does about the progress up to now. */
async function lastCalls(pending: ReadonlySet<Promise<void>>): Promise<void> {
  // The result may arrive just before the last progress, which is delivered in the next turn of the event loop.
  await setImmediate();
  await setImmediate();
  await Promise.all(pending);
}

/** Lets a signal of the program stop the work too, until the returned function is called. */
function link(signal: AbortSignal | null | undefined, stop: AbortController): () => void {
  const onAbort = () => stop.abort();
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort);
  return () => signal?.removeEventListener?.('abort', onAbort);
}
