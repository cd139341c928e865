/** Work whose progress a program listens to. */

import { TrestleError } from './errors.js';
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
  if (typeof onProgress !== 'function') return work({ onProgress, signal });
  const stop = new AbortController();
  let failure: TrestleError | undefined;
  let hasEnded = false;
  const fail = (cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    failure ??= new TrestleError('ABORTED', `onProgress has failed: ${reason}`, { cause });
    stop.abort();
  };
  const listener = async (progress: WorkProgress) => {
    try {
      if (failure === undefined) await onProgress(progress);
    } catch (error) {
      if (hasEnded) throw error;
      fail(error);
    }
  };
  const signals = signal instanceof AbortSignal ? [signal, stop.signal] : [stop.signal];
  const result = await work({
    onProgress: (progress) => void listener(progress),
    signal: AbortSignal.any(signals),
  }).catch((error) => {
    throw failure ?? error;
  });
  hasEnded = true;
  if (failure === undefined) return result;
  (result as { dispose?: () => void }).dispose?.();
  throw failure;
}
