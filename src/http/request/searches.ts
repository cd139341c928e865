/** Searches of a request: each waits for its turn, and ends when the request's time is over. */

import type { Context } from 'koa';
import { HttpError } from '../../http-error.js';
import type { SearchOptions } from '../../native/types.js';
import { tracedTurns } from '../../tracing/trace.js';
import type { HandlerDeps } from '../deps.js';
import type { SearchCost } from '../route.js';

/** How long the searches of one request may take together, and which search threads run them. */
export class SearchTime {
  readonly #until: number;

  /** The time starts when the object is made. */
  constructor(
    limitMs: number,
    private readonly cost: SearchCost,
    private readonly signal: AbortSignal,
  ) {
    this.#until = performance.now() + limitMs;
  }

  /** Options of the next search, which gets the remaining time. */
  get options(): SearchOptions {
    const deadline = Math.max(1, this.#until - performance.now()) / 1000;
    return { deadline, long: this.cost === 'long search', signal: this.signal };
  }
}

/** The limits of a request, besides its cost. */
type Limits = Pick<HandlerDeps, 'config' | 'admission' | 'longAdmission'>;

/**
 * Runs searches when it is their turn. Long ones have turns of their own, so that plans never wait for them. Throws
 * `BusyError` when they would wait too long, and `HttpError` 504 when their time is over.
 */
export function runSearches<T>(
  { config, admission, longAdmission }: Limits,
  cost: SearchCost,
  signal: AbortSignal,
  work: (time: SearchTime) => Promise<T>,
): Promise<T> {
  const isLong = cost === 'long search';
  const [turns, setting] = isLong
    ? ([longAdmission, 'maxLongSearchMs'] as const)
    : ([admission, 'maxSearchMs'] as const);
  const limitMs = config[setting];
  return tracedTurns(
    turns,
    cost,
    () =>
      work(new SearchTime(limitMs, cost, signal)).catch((error: unknown) => {
        if ((error as { code?: unknown }).code !== 'TIMEOUT') throw error;
        const advice = 'request less (fewer places, times, contours or pixels), or have the operator raise';
        throw new HttpError(504, `the search took longer than ${limitMs} ms: ${advice} ${setting}\n`);
      }),
    signal,
  );
}

/** Options of the next search of a request to a route with searches. */
export function searchOptions(ctx: Context): SearchOptions {
  return (ctx.state.searchTime as SearchTime).options;
}
