/** Answers that are refreshed while they are visible. */

import { useLayoutEffect, useMemo } from 'preact/hooks';
import { Search, type SearchStatus } from './search.js';

/**
 * Runs a request now, again when it is another function, and regularly while the page is visible.
 *
 * @param everyMs time between requests; without it, there is only one.
 */
export function useLive<T>(request: (signal: AbortSignal) => Promise<T>, everyMs?: number): Live<T> {
  const search = useMemo(() => new Search<T>(), []);
  // Before the page is painted: an answer that was not yet requested looks like an empty one.
  useLayoutEffect(() => {
    search.run(request);
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') search.run(request);
    }, everyMs);
    return () => clearInterval(timer);
  }, [search, request, everyMs]);
  useLayoutEffect(() => () => search.clear(), [search]);
  return { ...search.status.value, retry: () => search.retry() };
}

/** An answer and a function that requests it again. */
export interface Live<T> extends SearchStatus<T> {
  readonly retry: () => void;
}
