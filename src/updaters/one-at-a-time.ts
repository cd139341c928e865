/** Work that is done one at a time. */

/**
 * Calls `work` once at a time. Calls that come while it runs share the one that follows, so that no more than one ever
 * waits; each resolves when a run that began after the call has ended, and rejects as that run does.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  const run = (): Promise<void> => {
    waiting = undefined;
    const now = work().finally(() => {
      if (running === now) running = undefined;
    });
    running = now;
    return now;
  };
  return () => {
    if (waiting !== undefined) return waiting;
    if (running === undefined) return run();
    waiting = running.then(run, run);
    return waiting;
  };
}
