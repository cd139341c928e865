/** How long clients may keep answers. */

import { isFixedInstant } from '../params/date-time.js';
import { ROUTING, SCENARIO } from '../params/descriptions.js';
import type { Query } from '../params/query.js';

/** Caching of answers that depend on nothing but their query and the graph. */
export const CACHEABLE = 'no-transform, max-age=3600';

/** Caching of answers that may change at any time: clients have to ask each time. */
export const ALWAYS_ASK = 'no-transform, no-cache';

/**
 * How clients may cache the answer to a query. A scenario can be replaced at any time, so clients have to ask again.
 */
export function cachingOf(query: Query): string {
  return query.given(SCENARIO.scenario) === undefined ? CACHEABLE : ALWAYS_ASK;
}

/** The same for the answer to a search, which begins now or today unless the query says when. */
export function cachingOfSearch(query: Query): string {
  const isFixed = isFixedInstant(query.given(ROUTING.date), query.given(ROUTING.time));
  return isFixed ? cachingOf(query) : ALWAYS_ASK;
}
