/** For anything that a client sends, reading it gives a request or a bad-parameter error. */

import test from 'ava';
import { PLAN } from '../../../src/http/params/descriptions.js';
import { Query } from '../../../src/http/params/query.js';
import { routingRequest } from '../../../src/http/params/routing-request.js';
import { HttpError } from '../../../src/http-error.js';
import { clocksOf } from '../../support/clocks.js';

const LISBON = clocksOf('Europe/Lisbon');

const SEED = 20_190_513;
const ROUNDS = 20_000;

const PIECES = [
  ...['-', ':', '::', ',', '.', '_', '__', '\\_', ' ', '/', '%', '+', '&', '=', '\0', '\n', '😀', '\ud800'],
  ...['0', '1', '12', '2019', '-30.03', '99999999999999999999', '1e308', '1e999', 'NaN', 'Infinity', '0x1F'],
  ...['am', 'PM', 'T', 'Z', 'true', 'WALK', 'TRANSIT', 'BICYCLE_RENT', 'CAR_PARK', 'TRIANGLE', 'x'.repeat(300)],
];

/** A small generator of numbers below `limit`; the same numbers in every run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

test('random parameters are read or refused', (t) => {
  const below = numbers(SEED);
  const pick = <T>(items: readonly T[]) => items[below(items.length)] as T;
  let refused = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const query = new URLSearchParams();
    for (let i = below(4); i >= 0; i -= 1) {
      query.append(pick(Object.values(PLAN)).name, Array.from({ length: below(5) }, () => pick(PIECES)).join(''));
    }
    try {
      const request = routingRequest(new Query(query.toString()), {
        clocks: LISBON,
        nowMs: 0,
        defaults: {},
      });
      if (!Number.isSafeInteger(request.epochSeconds)) t.fail(`${query}: ${request.epochSeconds}`);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 400) t.fail(`${query}: ${error}`);
      refused += 1;
    }
  }
  t.true(refused > ROUNDS / 10 && refused < ROUNDS);
});
