/** Answers that are refreshed while they are visible. */

import { useCallback, useLayoutEffect, useMemo } from 'preact/hooks';
import { LatestRequest, type RequestStatus } from './latest-request.js';

/**
 * Runs a request now, again when one of its inputs changes, and regularly while the page is visible.
 *
 * @param everyMs time between requests; without it, there is only one.
 */
export function useLive<T>(ask: (signal: AbortSignal) => Promise<T>, inputs: unknown[], everyMs?: number): Live<T> {
  const latest = useMemo(() => new LatestRequest<T>(), []);
  const request = useCallback(ask, inputs);
  // Before the page is painted: an answer that was not yet requested looks like an empty one.
  useLayoutEffect(() => {
    latest.run(request);
    if (everyMs === undefined) return;
    const again = () => {
      // Waits for a slow answer: a new request would cancel it, and no answer would ever come.
      if (document.visibilityState === 'visible' && !latest.status.peek().running) latest.run(request);
    };
    const timer = setInterval(again, everyMs);
    // What was shown may have become old while the page was hidden.
    document.addEventListener('visibilitychange', again);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [latest, request, everyMs]);
  useLayoutEffect(() => () => latest.clear(), [latest]);
  return { ...latest.status.value, retry: () => latest.retry() };
}

/** An answer and a function that requests it again. */
export interface Live<T> extends RequestStatus<T> {
  readonly retry: () => Promise<void>;
}
