/** Answers that are refreshed while they are visible. */

import { useCallback, useLayoutEffect, useMemo } from 'preact/hooks';
import { LatestRequest, type RequestStatus } from './latest-request.js';

/**
 * Runs a request now, again when one of its inputs changes, and regularly while the page is visible. While it fails,
 * the pauses get longer and longer.
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
    const isVisible = () => document.visibilityState === 'visible';
    const timer = setInterval(() => {
      if (isVisible() && latest.isDue) latest.run(request);
    }, everyMs);
    // What was shown may have become old while the page was hidden.
    const lookAgain = () => {
      if (isVisible() && !latest.status.peek().running) latest.run(request);
    };
    document.addEventListener('visibilitychange', lookAgain);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', lookAgain);
    };
  }, [latest, request, everyMs]);
  useLayoutEffect(() => () => latest.clear(), [latest]);
  return { ...latest.status.value, retry: () => latest.retry() };
}

/** An answer and a function that requests it again. */
export interface Live<T> extends RequestStatus<T> {
  readonly retry: () => Promise<void>;
}
