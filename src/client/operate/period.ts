/** The days of a router's schedule. */

import type { RouterInfo } from '../api/answers.js';
import { DAY_MS } from '../state/moment.js';

/**
 * Clocks are at most 10 hours behind UTC and 13 ahead of it, apart from a few islands. This long after any of their
 * midnights it is the same date in UTC.
 */
const SAME_DATE_MS = 13 * 3_600_000;

/**
 * The first and the last day, `2026-11-23`. The interface gives midnights in the time zone of the router, but not the
 * zone.
 */
export function periodOf({
  transitServiceStarts: starts,
  transitServiceEnds: ends,
}: Pick<RouterInfo, 'transitServiceStarts' | 'transitServiceEnds'>): { first: string; last: string } {
  const date = (midnightMs: number) => new Date(midnightMs + SAME_DATE_MS).toISOString().slice(0, 10);
  return { first: date(starts * 1000), last: date(ends * 1000 - DAY_MS) };
}
