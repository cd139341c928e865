/** Work that is done one at a time. */

/**
 * Runs `work` one call at a time. Calls during a run share the next run, so that at most one run waits. Each call
 * resolves when a run that began after it has ended, and rejects if that run does.
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
