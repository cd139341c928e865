/** The two searches of a plan that finds no trip with few transfers. */

import test from 'ava';
import { searchTrips } from '../../src/http/resources/plan/trip-search.js';
import type { Graph, PlanOutcome, PlanRequest, SearchOptions } from '../../src/native/types.js';

const REQUEST: PlanRequest = { from: {}, to: {}, epochSeconds: 0, maxTransfers: 4 };
const NONE: PlanOutcome = {
  error: { code: 'PATH_NOT_FOUND', reason: 'no itinerary was found', missing: [] },
  timings: { precalculation: 0, pathCalculation: 0, paths: [], rendering: 0, timedOut: false },
};

/** The options that each search gets, if one takes two milliseconds. */
async function optionsOfSearches(options?: SearchOptions) {
  const given: Array<SearchOptions | undefined | null> = [];
  const plan: Graph['plan'] = async (_, optionsOfSearch) => {
    given.push(optionsOfSearch);
    const began = performance.now();
    while (performance.now() - began < 2);
    return NONE;
  };
  await searchTrips({ plan }, REQUEST, options);
  return given;
}

test('the second search has the time that the first one left', async (t) => {
  const { signal } = new AbortController();
  const [first, second] = await optionsOfSearches({ deadline: 10, signal });
  t.deepEqual(first, { deadline: 10, signal });
  t.is(second?.signal, signal);
  t.true((second?.deadline ?? 0) <= 9.998);
  const [, late] = await optionsOfSearches({ deadline: 0.001 });
  t.is(late?.deadline, 0.001, 'a search without time ends at once');
});

test('searches without a limit of time stay so', async (t) => {
  t.deepEqual(await optionsOfSearches(), [undefined, undefined]);
});
