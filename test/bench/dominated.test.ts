import test from 'ava';
import { type ComparedItinerary, countDominated, dominatedText, dominates } from '../../src/bench/dominated.js';
import { atRandomTimes, dayOf, type TimedTrip } from '../../src/bench/random-trips.js';
import type { BenchRequest } from '../../src/bench/request-kinds.js';
import type { Target } from '../../src/bench/target.js';

const MINUTE = 60_000;
const EIGHT = Date.UTC(2026, 10, 23, 8);
const TRIP: TimedTrip = { from: '48,15', to: '48.1,15', epochSeconds: EIGHT / 1000 };

function trip(start: number, end: number, transfers = 1, walkDistance = 500): ComparedItinerary {
  return { startTime: EIGHT + start * MINUTE, endTime: EIGHT + end * MINUTE, transfers, walkDistance };
}

test('a trip dominates another when it gains more than five minutes and costs nothing else', (t) => {
  const given = trip(0, 60);
  t.true(dominates(trip(6, 60), given));
  t.true(dominates(trip(0, 54), given));
  t.true(dominates(trip(3, 57, 1, 700), given));
  t.false(dominates(trip(5, 60), given), 'five minutes are not more than five minutes');
  t.false(dominates(trip(-1, 40), given), 'it leaves earlier');
  t.false(dominates(trip(20, 61), given), 'it arrives later');
  t.false(dominates(trip(20, 50, 2), given), 'it has more transfers');
  t.false(dominates(trip(20, 50, 1, 701), given), 'it walks farther');
});

test('vehicles without fixed times may make the same trip look shorter by their headways', (t) => {
  const every = (minutes: number) => ({ headway: minutes * 60 });
  const given = { ...trip(0, 60), legs: [{}, every(10), {}, every(4)] };
  t.false(dominates({ ...trip(10, 51), legs: [{}] }, given));
  t.true(dominates({ ...trip(10, 50), legs: [{}] }, given));
  t.false(dominates({ ...trip(14, 60), legs: [every(10)] }, trip(0, 60)), 'those of the better trip count too');
});

/**
 * A server that knows some trips and answers with those that fit a request: departing, the first to arrive; arriving,
 * the last to leave.
 */
function server(known: readonly ComparedItinerary[], first?: ComparedItinerary): Target {
  const answer = ({ query }: BenchRequest) => {
    const parameters = new URLSearchParams(query);
    const time = Date.parse(parameters.get('time') ?? '');
    const fits = known.filter(({ startTime, endTime }) =>
      parameters.get('arriveBy') === 'true' ? endTime <= time : startTime >= time,
    );
    const isAsked = time === EIGHT && !parameters.has('numItineraries');
    return { plan: { itineraries: isAsked && first ? [first] : fits } };
  };
  return {
    name: 'known trips',
    answers: () => true,
    prepare: (request) => async () => ({ status: 200, bytes: 0, value: () => answer(request) }),
    usage: async () => ({}),
    servicePeriod: async () => undefined,
    today: async () => '2026-11-23',
    close: async () => {},
  };
}

test('a first itinerary is compared with what other requests find', async (t) => {
  const [slow, quick] = [trip(10, 70), trip(40, 70)];
  const [departing, arriving] = await countDominated(server([quick], slow), 'town', [TRIP], {}, 1);
  t.deepEqual([departing?.requests, departing?.answered, departing?.failed], [1, 1, 0]);
  const [found] = departing?.dominated ?? [];
  t.deepEqual([found?.first, found?.better, found?.gain], [slow, quick, 1800]);
  t.regex(found?.request ?? '', /^\/routers\/town\/plan\?.*time=2026-11-23T08%3A00%3A00Z.*arriveBy=false$/);
  t.is(arriving?.dominated.length, 1);
  const text = dominatedText([departing as NonNullable<typeof departing>]);
  t.regex(text, /dominated 1 of 1 \(1 answered, 0 failed\)\n {2}30 min {2}\/routers\/town/);
});

test('other itineraries of the same answer count as well', async (t) => {
  const [count] = await countDominated(server([trip(10, 70), trip(40, 70)]), 'town', [TRIP], {}, 1);
  t.is(count?.dominated.length, 1);
});

test('trips that nothing dominates are not reported', async (t) => {
  const counts = await countDominated(server([trip(10, 30), trip(40, 62)]), 'town', [TRIP], {}, 2);
  t.deepEqual(
    counts.map(({ dominated }) => dominated.length),
    [0, 0],
  );
});

test('answers that cannot be read are failures', async (t) => {
  const broken: Target = {
    ...server([]),
    prepare: () => async () => ({ status: 500, bytes: 0, value: () => undefined }),
  };
  const [count] = await countDominated(broken, 'town', [TRIP], {}, 1);
  t.deepEqual([count?.answered, count?.failed], [0, 1]);
});

test('random times lie within the period, also on its Sundays, and are the same for the same seed', (t) => {
  const starts = Date.UTC(2026, 10, 23, 23) / 1000; // midnight an hour east of Greenwich
  const period = { starts, ends: starts + 14 * 86_400 };
  const pairs = Array.from({ length: 300 }, () => ({ from: '48,15', to: '48.1,15' }));
  const trips = atRandomTimes(pairs, period, 1);
  t.true(trips.every(({ epochSeconds }) => epochSeconds >= period.starts && epochSeconds < period.ends));
  const sundays = trips.filter(({ epochSeconds }) => new Date((epochSeconds + 3600) * 1000).getUTCDay() === 0);
  t.true(sundays.length > 60 && sundays.length < 150, `${sundays.length} Sundays`);
  t.deepEqual(atRandomTimes(pairs, period, 1), trips);
  t.notDeepEqual(atRandomTimes(pairs, period, 2), trips);
  t.deepEqual(dayOf(period, '2026-11-25'), { starts: starts + 86_400, ends: starts + 2 * 86_400 });
});
