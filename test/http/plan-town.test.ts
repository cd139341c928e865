/** Plans over a real graph, from the query to the last member of the answer. */

import test from 'ava';
import { contradictions } from '../golden/plan-acceptance.js';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startApp, type TestApp } from '../support/test-app.js';

const town = builtBefore(test, buildSampleTown);

/** Serves the town under `default`. */
const serve = (t: Parameters<typeof startApp>[0]): Promise<TestApp> =>
  startApp(t, [{ id: 'default', graph: sharedGraph(town.graph) }]);

/** A trip from one end of the village to the other on a working day. */
function trip(extra = ''): string {
  const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = town.graph.info();
  const at = (share: number) => `${(south + (north - south) * share).toFixed(6)},${lon}`;
  const base = `fromPlace=Home::${at(0.2)}&toPlace=${at(0.8)}&date=2026-11-23&time=8:00am`;
  return `/routers/default/plan?${base}${extra}`;
}

for (const mode of ['TRANSIT,WALK', 'WALK', 'BICYCLE', 'CAR', 'BUS,WALK', 'BICYCLE,TRANSIT', 'CAR,WALK,TRANSIT']) {
  for (const direction of ['', '&arriveBy=true']) {
    test(`mode=${mode}${direction}: itineraries do not contradict themselves`, async (t) => {
      const app = await serve(t);
      const answer = await app.json(trip(`&mode=${mode}${direction}`));
      t.is(answer.error, undefined);
      t.true(answer.plan.itineraries.length > 0);
      for (const itinerary of answer.plan.itineraries) {
        t.deepEqual(contradictions(itinerary), []);
        const late = direction === '' ? itinerary.startTime < answer.plan.date : itinerary.endTime > answer.plan.date;
        t.false(late, 'outside the requested time');
        const modes = itinerary.legs.map((leg: any) => leg.mode);
        if (mode === 'WALK' || mode === 'CAR') t.true(modes.every((used: string) => used === mode || used === 'WALK'));
        if (mode === 'BUS,WALK') t.true(modes.every((used: string) => used === 'BUS' || used === 'WALK'));
      }
    });
  }
}

test('the ends have the names that the user gave', async (t) => {
  const app = await serve(t);
  const { plan } = await app.json(trip('&mode=WALK'));
  t.like(plan.from, { name: 'Home', orig: 'Home', vertexType: 'NORMAL' });
  t.like(plan.to, { name: 'Destination', orig: '', vertexType: 'NORMAL' });
});

test('a higher walking limit is never slower, and fewer itineraries are fewer', async (t) => {
  const app = await serve(t);
  const arrival = async (extra: string) => {
    const { plan } = await app.json(trip(extra));
    return Math.min(...plan.itineraries.map((itinerary: any) => itinerary.endTime));
  };
  t.true((await arrival('&maxWalkDistance=3000')) <= (await arrival('&maxWalkDistance=1200')));
  const one = await app.json(trip('&numItineraries=1'));
  t.is(one.plan.itineraries.length, 1);
});

for (const [what, extra, error] of [
  ['no itinerary wanted', '&numItineraries=0', 'PATH_NOT_FOUND'],
  ['nobody walks', '&walkSpeed=0&mode=WALK', 'PATH_NOT_FOUND'],
  ['no service on that day', '&date=1999-01-01', 'NO_TRANSIT_TIMES'],
  ['an unknown intermediate stop', '&intermediatePlaces=nowhere', 'OUTSIDE_BOUNDS'],
] as const) {
  test(`${what} is ${error}`, async (t) => {
    const app = await serve(t);
    // The first value of a repeated parameter wins.
    const [path, query] = trip().split('?');
    const answer = await app.json(`${path}?${extra.slice(1)}&${query}`);
    t.is(answer.error?.message, error);
    t.false('plan' in answer);
  });
}

test('unknown places are named in the error', async (t) => {
  const app = await serve(t);
  const { error, debugOutput } = await app.json(
    '/routers/default/plan?fromPlace=x&toPlace=y&date=2026-11-23&time=8:00',
  );
  t.like(error, { id: 400, message: 'OUTSIDE_BOUNDS', missing: ['from', 'to'], noPath: true });
  t.truthy(debugOutput);
});

test('the XML form holds the same itineraries', async (t) => {
  const app = await serve(t);
  const { plan } = await app.json(trip());
  const text = await (await app.get(trip(), { accept: 'application/xml' })).text();
  const durations = [...text.matchAll(/<itineraries><duration>(\d+)<\/duration>/g)].map(([, seconds]) =>
    Number(seconds),
  );
  t.deepEqual(
    durations,
    plan.itineraries.map((itinerary: any) => itinerary.duration),
  );
});
