/** The walking limit of plans: there is one by transit only. */

import test from 'ava';
import { withPlanLimits } from '../../../src/http/params/plan-limits.js';
import type { Mode, PlanRequest } from '../../../src/native/types.js';

function limitOf(modes: Mode[] | undefined, asked?: number): number | undefined {
  const request = { ...(modes && { modes }), ...(asked !== undefined && { maxWalkDistance: asked }) } as PlanRequest;
  return withPlanLimits(request).maxWalkDistance;
}

test('by transit, walks are limited to 2 km unless asked for, and never to more than 15 km', (t) => {
  for (const modes of [undefined, ['BUS', 'WALK'], ['SUBWAY']] satisfies Array<Mode[] | undefined>) {
    t.is(limitOf(modes), 2000);
    t.is(limitOf(modes, 500), 500);
    t.is(limitOf(modes, 20_000), 15_000);
  }
});

test('on streets alone, only a limit that was asked for is compared with the distance', (t) => {
  for (const modes of [['WALK'], ['BICYCLE'], ['CAR'], ['WALK', 'BICYCLE']] satisfies Mode[][]) {
    t.is(limitOf(modes), undefined);
    t.is(limitOf(modes, 500), 500);
    t.is(limitOf(modes, 20_000), 20_000);
  }
});
