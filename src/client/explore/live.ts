/** Answers that are refreshed while they are in sight. */

import { useLayoutEffect, useMemo } from 'preact/hooks';
import { Search, type SearchStatus } from '../state/search.js';

/**
 * Runs a request now, whenever it is another function, and every so often while the page can be seen.
 *
 * @param everyMs time between requests; none again without it.
 */
export function useLive<T>(request: (signal: AbortSignal) => Promise<T>, everyMs?: number): Live<T> {
  const search = useMemo(() => new Search<T>(), []);
  // Before the page is painted: an answer that was not requested yet looks like an empty one.
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

/** An answer and the way to ask for it again. */
export interface Live<T> extends SearchStatus<T> {
  readonly retry: () => void;
}
