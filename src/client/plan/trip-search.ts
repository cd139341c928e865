/** Searches for trips whenever something changes that they depend on. */

import { computed, effect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Itinerary, PlanError } from '../api/answers.js';
import { type Problem, problemOf } from '../api/problem.js';
import { state } from '../state/address.js';
import { LatestRequest } from '../state/latest-request.js';
import { type Moment, momentOf } from '../state/moment.js';
import { language } from '../state/preferences.js';
import { type Shown, useShown } from '../state/shown.js';
import { merged, usesTransit } from './itinerary.js';
import { type TripRequest, tripQuery } from './trip-query.js';
import { earlierQuery, laterQuery } from './trip-time.js';

/** The trips found, in the order of departure, or why there are none. */
export interface Trips {
  /** The time that was searched for; "now" is that of the search. */
  readonly moment: Moment;
  readonly itineraries: readonly Itinerary[];
  /** The one that the server found first: of those that arrive by a time, the last to leave. */
  readonly best?: Itinerary;
  readonly error?: PlanError;
  /** Why further trips could not be searched for; those that were found stay. */
  readonly problems?: { readonly earlier?: Problem; readonly later?: Problem };
}

const request = computed<TripRequest | undefined>(() => {
  const [from, to] = [state.from.value, state.to.value];
  if (!from || !to) return undefined;
  return {
    from,
    to,
    via: state.via.value,
    mode: state.mode.value,
    without: state.without.value,
    when: state.when.value,
    date: state.date.value,
    time: state.time.value,
    wheelchair: state.wheelchair.value,
    fewTransfers: state.fewTransfers.value,
    maxWalk: state.maxWalk.value,
    bike: state.bike.value,
    language: language.value,
  };
});

/** A search that follows the state. */
export function useTripSearch(): LatestRequest<Trips> {
  const shown = useShown();
  const search = useMemo(() => new LatestRequest<Trips>(), []);
  useEffect(() => {
    const finder = new TripFinder(shown);
    const stop = effect(() => {
      const wanted = request.value;
      const pages = { earlier: state.earlier.value, later: state.later.value };
      if (wanted) search.run((signal) => finder.find(wanted, pages, signal));
      else search.clear();
    });
    return () => {
      stop();
      search.clear();
    };
  }, [shown, search]);
  return search;
}

interface Pages {
  readonly earlier: number;
  readonly later: number;
}

/** Finds trips, and further ones before and after them, without repeating earlier searches. */
class TripFinder {
  #request: TripRequest | undefined;
  #query = new URLSearchParams();
  #first: Trips | undefined;
  #earlier: Itinerary[][] = [];
  #later: Itinerary[][] = [];

  constructor(private readonly shown: Shown) {}

  async find(wanted: TripRequest, pages: Pages, signal: AbortSignal): Promise<Trips> {
    const first = wanted === this.#request && this.#first ? this.#first : await this.#start(wanted, signal);
    const problems = {
      earlier: await this.#extend(this.#earlier, pages.earlier, first, earlierQuery, signal).catch(problemOf),
      later: await this.#extend(this.#later, pages.later, first, laterQuery, signal).catch(problemOf),
    };
    const more = [...this.#earlier.slice(0, pages.earlier), ...this.#later.slice(0, pages.later)].flat();
    return { ...first, itineraries: merged(first.itineraries, more), problems };
  }

  async #start(wanted: TripRequest, signal: AbortSignal): Promise<Trips> {
    const { info, calendar, api } = this.shown;
    const now = Date.now();
    const moment = momentOf(wanted, calendar, now);
    const query = tripQuery(wanted, info, moment, now);
    const { plan, error } = await api.plan(query, signal);
    this.#request = wanted;
    this.#query = query;
    const itineraries = plan?.itineraries ?? [];
    this.#first = { moment, itineraries, best: itineraries[0], error };
    this.#earlier = [];
    this.#later = [];
    return this.#first;
  }

  /** A page without trips is the end of the day; for later trips, the user chooses another date. */
  async #extend(
    pages: Itinerary[][],
    wanted: number,
    { itineraries }: Trips,
    next: typeof laterQuery,
    signal: AbortSignal,
  ): Promise<undefined> {
    while (pages.length < wanted && itineraries.length > 0) {
      const found = [itineraries, ...pages].flat();
      const query = next(this.#query, found);
      const { plan } = await this.shown.api.plan(query, signal);
      // On foot, one can leave at any time, so these are known from the first search.
      pages.push((plan?.itineraries ?? []).filter(usesTransit));
    }
    return undefined;
  }
}
