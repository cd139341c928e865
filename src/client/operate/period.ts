/** The days of a router's schedule. */

import type { RouterInfo } from '../api/answers.js';

const DAY_SECONDS = 86_400;

/**
 * Clocks are at most 10 hours behind UTC and 13 ahead of it, apart from a few islands. This long after any of their
 * midnights it is the same date in UTC.
 */
const SAME_DATE_SECONDS = 13 * 3600;

/**
 * The first and the last day, `2026-11-23`. The interface gives midnights in the time zone of the router, but not the
 * zone.
 */
export function periodOf({
  transitServiceStarts: starts,
  transitServiceEnds: ends,
}: Pick<RouterInfo, 'transitServiceStarts' | 'transitServiceEnds'>): { first: string; last: string } {
  const date = (midnight: number) => new Date((midnight + SAME_DATE_SECONDS) * 1000).toISOString().slice(0, 10);
  return { first: date(starts), last: date(ends - DAY_SECONDS) };
}
