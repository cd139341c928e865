import test from 'ava';
import { checkedMembers, faultOf, judge } from '../../src/bench/answer-check.js';
import type { Answer } from '../../src/bench/target.js';

const HOME = { lat: 48, lon: 15 };
const STOP = { lat: 48.01, lon: 15 };
const WORK = { lat: 48.02, lon: 15 };

function trip(
  changes: { walkEnd?: number; busStart?: number; busEnd?: number; busFrom?: typeof STOP; end?: number } = {},
) {
  const { walkEnd = 10, busStart = 15, busEnd = 30, busFrom = STOP, end = busEnd } = changes;
  const walk = { mode: 'WALK', startTime: 0, endTime: walkEnd, from: HOME, to: STOP };
  const bus = { mode: 'BUS', startTime: busStart, endTime: busEnd, from: busFrom, to: WORK };
  return { startTime: 0, endTime: end, legs: [walk, bus] };
}

function answer(status: number, value?: unknown): Answer {
  return { status, bytes: 10, value: () => value };
}

test('a trip whose legs follow each other in time and place is feasible', (t) => {
  t.is(faultOf(trip()), undefined);
});

test('faults are named', (t) => {
  t.is(faultOf({ startTime: 0, endTime: 0, legs: [] }), 'no legs');
  t.is(faultOf(trip({ walkEnd: 16 })), 'a leg (BUS) starts before the one before it (WALK) ends');
  t.is(faultOf(trip({ busEnd: 12 })), 'a leg (BUS) ends before it starts');
  t.is(faultOf(trip({ busFrom: HOME })), 'a leg (BUS) starts elsewhere than the last (WALK) ends');
  t.is(faultOf(trip({ end: 29 })), 'the itinerary does not end with its last leg');
});

test('an itinerary may end after its last leg by the way off a vehicle, but not by more than that after a street leg', (t) => {
  t.is(faultOf(trip({ end: 1030 })), undefined);
  t.is(faultOf({ ...trip(), startTime: -1 }), 'the itinerary does not start with its first leg');
});

test('a traveller who stays aboard may continue from a nearby stop', (t) => {
  const { legs, ...times } = trip({ busFrom: { lat: 48.012, lon: 15 } });
  const [walk, bus] = legs as [(typeof legs)[0], (typeof legs)[0]];
  t.is(faultOf({ ...times, legs: [walk, { ...bus, interlineWithPreviousLeg: true }] }), undefined);
  t.is(faultOf({ ...times, legs: [walk, { ...bus, transit: { interlineWithPrevious: true } }] }), undefined);
  t.not(faultOf({ ...times, legs: [walk, { ...bus, transit: { interlineWithPrevious: false } }] }), undefined);
});

test('a shortened plan is judged like the whole plan', (t) => {
  const itinerary = trip({ walkEnd: 16 });
  const kept = checkedMembers({ plan: { itineraries: [itinerary] } }).plan?.itineraries ?? [];
  t.is(kept.length, 1);
  t.is(faultOf(kept[0] as (typeof kept)[0]), faultOf(itinerary));
  t.deepEqual(checkedMembers({}), {});
});

test('the headway of a vehicle without fixed times is kept, in process and over HTTP', (t) => {
  const { legs, ...times } = trip();
  const [walk, bus] = legs as [(typeof legs)[0], (typeof legs)[0]];
  const aboard = [
    { ...bus, headway: 600 },
    { ...bus, transit: { interlineWithPrevious: false, headway: 600 } },
  ];
  for (const leg of aboard) {
    const kept = checkedMembers({ plan: { itineraries: [{ ...times, legs: [walk, leg] }] } }).plan?.itineraries;
    t.deepEqual(
      kept?.[0]?.legs.map(({ headway }) => headway),
      [undefined, 600],
    );
  }
});

test('answers are counted by outcome', (t) => {
  const verdicts = judge(
    'plan',
    [
      answer(200, { plan: { itineraries: [trip()] } }),
      answer(200, { plan: { itineraries: [trip(), trip({ walkEnd: 16 })] } }),
      answer(200, { error: { id: 404 } }),
      answer(503, {}),
      answer(200, undefined),
      answer(0),
    ],
    [{ path: '/a' }, { path: '/b' }],
  );
  t.deepEqual([verdicts.answered, verdicts.withoutTrip, verdicts.infeasible, verdicts.failed], [2, 1, 1, 3]);
  t.true(verdicts.complaints.includes('status 503: /b'));
});

test('other kinds need a readable body, or any', (t) => {
  t.is(judge('json', [answer(200, []), answer(200)], []).failed, 1);
  t.is(judge('any', [answer(200), answer(404)], []).answered, 1);
});
