/** How the client reads plans, and when it offers to travel. */

import test from 'ava';
import type { FoundPlace, Itinerary, Leg } from '../../src/client/api/answers.js';
import { alongLine } from '../../src/client/map/along-line.js';
import { isMeantBy, offerOf, withoutRepeats } from '../../src/client/place-search/found-place.js';
import { heightsOf, itineraryKey, merged, metresIn, pauseBetween } from '../../src/client/plan/itinerary.js';
import { offMap } from '../../src/client/plan/off-map.js';
import { positionOn, ticksOf } from '../../src/client/plan/time-scale.js';
import { areFarOff, atMoment, earlierQuery, laterQuery } from '../../src/client/plan/trip-time.js';
import { lastDate, momentOf, servesNow, usualDay } from '../../src/client/state/moment.js';
import { requestedInstant } from '../../src/http/params/date-time.js';
import { clocksOf } from '../support/clocks.js';

const ZONE = 'Europe/Lisbon';
/** Two weeks of work from Monday, 5 October 2026, without Sundays, and a last day with next to nothing. */
const CALENDAR = { timeZone: ZONE, firstDate: '2026-10-05', trips: [9, 9, 9, 9, 9, 5, 0, 9, 9, 9, 9, 9, 5, 0, 1] };
const NOTHING = { when: undefined, date: undefined, time: undefined };

test('the present is offered where something runs today', (t) => {
  const now = Date.UTC(2026, 9, 6, 7, 30);
  t.deepEqual(momentOf(NOTHING, CALENDAR, now), { when: 'now', date: '2026-10-06', time: '08:30' });
  t.true(servesNow(CALENDAR, now));
});

test('else the nearest day with usual service is offered, not the end of the calendar', (t) => {
  const later = Date.UTC(2027, 0, 10, 12);
  t.deepEqual(momentOf(NOTHING, CALENDAR, later), { when: 'depart', date: '2026-10-16', time: '08:00' });
  t.deepEqual(momentOf({ ...NOTHING, when: 'now' }, CALENDAR, later).when, 'depart');
  t.is(usualDay(CALENDAR, '2026-01-01'), '2026-10-05');
  t.is(usualDay(CALENDAR, '2026-10-11'), '2026-10-12', 'of two equally near days the later');
  t.is(lastDate(CALENDAR), '2026-10-19');
});

test('where nothing runs from Monday to Friday, a day of the weekend is offered', (t) => {
  const weekends = { ...CALENDAR, trips: [0, 0, 0, 0, 0, 5, 9, 0, 0, 0, 0, 0, 5, 0] };
  t.is(usualDay(weekends, '2027-01-10'), '2026-10-17');
});

test('a long period in which only one small feed runs does not count as usual service', (t) => {
  const calendar = {
    timeZone: ZONE,
    firstDate: '2026-01-01',
    trips: [...Array(20).fill(1), 9, 9, 5, ...Array(40).fill(2)],
  };
  t.is(usualDay(calendar, '2026-06-01'), '2026-01-23');
});

test('today ends when it does in the zone of the router', (t) => {
  // Still Saturday in New York, and Sunday in Lisbon.
  const now = Date.UTC(2026, 9, 11, 3, 30);
  t.true(servesNow({ ...CALENDAR, timeZone: 'America/New_York' }, now));
  t.false(servesNow(CALENDAR, now));
});

test('after midnight, the vehicles of the evening before still count', (t) => {
  // Half past one on a Sunday, and on a Monday, in Lisbon.
  const [sunday, monday] = [Date.UTC(2026, 9, 11, 0, 30), Date.UTC(2026, 9, 12, 0, 30)];
  t.deepEqual(momentOf(NOTHING, CALENDAR, sunday), { when: 'now', date: '2026-10-11', time: '01:30' });
  const arriving = { ...NOTHING, when: 'arrive' } as const;
  t.is(momentOf(arriving, CALENDAR, sunday).date, '2026-10-12', 'another time is on a day with service');
  t.true(servesNow(CALENDAR, monday), 'the day itself');
  const ended = Date.UTC(2026, 9, 20, 0, 30);
  t.true(servesNow(CALENDAR, ended), 'the night after the last day');
  t.false(servesNow(CALENDAR, ended + 86_400_000));
});

test('a chosen date and time are kept, whatever runs', (t) => {
  const chosen = { when: 'arrive', date: '2026-10-11', time: '23:15' } as const;
  t.deepEqual(momentOf(chosen, CALENDAR, 0), chosen);
  t.is(momentOf({ ...chosen, time: undefined }, CALENDAR, 0).time, '08:00');
});

test('without transit, the present is always offered', (t) => {
  t.is(momentOf(NOTHING, { timeZone: ZONE, trips: [] }, 0).when, 'now');
});

test('in the night in which clocks go back, now, earlier and later mean one of the two times', (t) => {
  // Half past one in Lisbon for the second time.
  const now = Date.UTC(2026, 9, 25, 1, 30);
  const first = atMoment(new URLSearchParams(), { when: 'now', date: '2026-10-25', time: '01:30' }, now + 40_000);
  const found = [{ startTime: now + 90_000, endTime: now + 200_000, legs: [{ transitLeg: true }] }] as Itinerary[];
  for (const [query, time, arriveBy] of [
    [first, '2026-10-25T01:30:00.000Z', null],
    [laterQuery(first, found), '2026-10-25T01:32:00.000Z', null],
    [earlierQuery(first, found), '2026-10-25T01:32:00.000Z', 'true'],
    [laterQuery(earlierQuery(first, found), found), '2026-10-25T01:32:00.000Z', null],
  ] as const) {
    t.deepEqual([query.get('time'), query.get('date'), query.get('arriveBy')], [time, null, arriveBy]);
    const answer = requestedInstant(undefined, time, { clocks: clocksOf(ZONE), nowMs: 0 });
    t.is(answer * 1000, Date.parse(time), 'as the server reads it');
  }
});

test('earlier and later trips follow those by vehicle, and a walk only where there is none', (t) => {
  const trip = (transitLeg: boolean, start: number, end: number) =>
    ({ startTime: start * 60_000, endTime: end * 60_000, legs: [{ transitLeg }] }) as Itinerary;
  const [walk, ride, next] = [trip(false, 30, 40), trip(true, 10, 50), trip(true, 20, 60)];
  const minutes = (query: URLSearchParams) => Date.parse(query.get('time') ?? '') / 60_000;
  t.is(minutes(laterQuery(new URLSearchParams(), [walk, next, ride])), 21);
  t.is(minutes(earlierQuery(new URLSearchParams(), [walk, next, ride])), 49);
  t.is(minutes(laterQuery(new URLSearchParams(), [walk])), 31);
  t.is(minutes(earlierQuery(new URLSearchParams(), [walk])), 39);
});

test('trips are far off where the nearest one is hours from the time that was chosen', (t) => {
  const at = (hour: number) => Date.UTC(2026, 9, 6, hour - 1, 30);
  const trips = [
    { startTime: at(9), endTime: at(10) },
    { startTime: at(11), endTime: at(13) },
  ] as Itinerary[];
  const isFar = (when: 'depart' | 'arrive', time: string) => areFarOff(trips, { when, date: '2026-10-06', time }, ZONE);
  t.deepEqual([isFar('depart', '06:30'), isFar('depart', '06:29')], [false, true]);
  t.deepEqual([isFar('arrive', '16:30'), isFar('arrive', '16:31')], [false, true]);
  t.true(areFarOff(trips, { when: 'depart', date: '2026-10-05', time: '09:30' }, ZONE));
});

test('what is off the map is named, also where the interface means the end of a stretch', (t) => {
  const [here, far] = [
    { lat: 48, lon: 15 },
    { lat: 10, lon: 10 },
  ];
  const text = (missing: string[], to = here, ...via: Array<typeof here>) =>
    offMap(missing, { via, to, bounds: [14, 47, 16, 49] });
  t.is(text(['from']), 'from');
  t.is(text(['to']), 'to');
  t.is(text(['from', 'to'], far), 'both');
  t.is(text(['to'], here, here, far), 'via');
  t.is(text(['to'], far, here), 'to');
  t.is(text(['from'], here, here), 'from');
  t.is(text(['to'], here, here), 'some', 'a lake within the area');
});

test('ticks are at round times of the zone', (t) => {
  const from = Date.UTC(2026, 9, 6, 7, 7);
  const scale = ticksOf({ from, to: from + 40 * 60_000 }, 'Asia/Kathmandu');
  // The zone is 5:45 ahead.
  t.deepEqual(
    scale.ticks.map((tick) => new Date(tick).toISOString().slice(11, 16)),
    ['07:15', '07:25', '07:35', '07:45'],
  );
  t.is(positionOn(scale, from + 10 * 60_000), 25);
});

const leg = (part: Partial<Leg>) =>
  ({ mode: 'WALK', transitLeg: false, route: '', distance: 0, steps: [], ...part }) as Leg;
const trip = (start: number, legs: Leg[]) => ({ startTime: start, endTime: start + 600_000, legs }) as Itinerary;

test('further trips come in the order of departure, each once', (t) => {
  const ride = leg({ transitLeg: true, route: 'U 1', mode: 'SUBWAY' });
  const [first, second] = [trip(600_000, [ride]), trip(1_200_000, [ride])];
  t.is(itineraryKey(first), 'a.k.U1');
  t.deepEqual(
    merged([second], [first, trip(1_200_000, [ride])]).map(({ startTime }) => startTime),
    [600_000, 1_200_000],
  );
  t.is(metresIn(trip(0, [leg({ distance: 3 }), leg({ distance: 4 }), leg({ mode: 'CAR', distance: 9 })]), 'WALK'), 7);
});

test('heights of the steps are joined along the way', (t) => {
  const step = (distance: number, ...elevation: Array<[number, number]>) => ({
    distance,
    elevation: elevation.map(([first, second]) => ({ first, second })),
  });
  const steps = [step(10, [0, 5], [10, 6]), step(20), step(5, [0, 8], [5.001, 9])] as unknown as Leg['steps'];
  const heights = heightsOf(leg({ steps }));
  t.deepEqual(heights, {
    points: [
      [0, 5],
      [10, 6],
      [30, 8],
      [35, 9],
    ],
    length: 35,
  });
  t.is(heightsOf(leg({})), undefined);
});

test('a share of a line is a point on it', (t) => {
  const line = [
    [0, 0],
    [0, 2],
    [0, 2],
    [1, 2],
  ] as const;
  t.deepEqual(alongLine(line, 0), { lat: 0, lon: 0 });
  t.deepEqual(alongLine(line, 1 / 3), { lat: 0, lon: 1 });
  t.deepEqual(alongLine(line, 2), { lat: 1, lon: 2 });
  t.is(alongLine([], 0.5), undefined);
});

test('found places are read out of the descriptions of the interface', (t) => {
  const found = (description: string) => offerOf({ lat: 1, lng: 2, description });
  t.deepEqual(found('stop Main (North) (12)'), {
    category: 'stop',
    place: { lat: 1, lon: 2, name: 'Main (North)' },
    code: '12',
  });
  t.is(found('stop Main ').place.name, 'Main');
  t.is(found('corner A & B ').category, 'corner');
  t.deepEqual([found('Somewhere else').category, found('Somewhere else').place.name], ['place', 'Somewhere else']);
});

test('stops of one name that are close together are offered once, with a code if stops elsewhere have the name', (t) => {
  const found = (description: string, lat: number) => offerOf({ lat, lng: 16, description } as FoundPlace);
  const offers = withoutRepeats([
    found('stop Main (1)', 48.0049),
    found('stop MAIN (2)', 48.0051),
    found('corner Main ', 48.005),
    found('stop Main (3)', 48.08),
    found('stop Quay (4)', 48.0051),
    found('stop Market (5)', 48.0051),
    found('stop Market (6)', 48.0052),
  ]);
  t.deepEqual(
    offers.map(({ category, place, code }) => `${category} ${place.name} ${code}`),
    ['stop Main 1', 'corner Main undefined', 'stop Main 3', 'stop Quay 4', 'stop Market undefined'],
  );
});

test('a text means a place when each of its words begins one of the name', (t) => {
  t.true(isMeantBy('markt loew', 'Märktweg / Loewenbach'));
  t.true(isMeantBy('', 'Anything'));
  t.false(isMeantBy('nowhere at all', 'Allée des Érables'));
});

for (const [what, before, leg, pause] of [
  ['before a ride', { mode: 'BICYCLE' }, { mode: 'BUS', transitLeg: true }, 'wait'],
  ['after a ride', { mode: 'BUS', transitLeg: true }, { mode: 'WALK' }, 'getOff'],
  ['on foot before a rented bicycle', { mode: 'WALK' }, { mode: 'BICYCLE', rentedBike: true }, 'rent'],
  ['after a rented bicycle', { mode: 'BICYCLE', rentedBike: true, end: 'BIKESHARE' }, { mode: 'WALK' }, 'giveBack'],
  ['after a car', { mode: 'CAR' }, { mode: 'WALK' }, 'park'],
  ['where a bicycle is left', { mode: 'BICYCLE', end: 'BIKEPARK' }, { mode: 'WALK' }, 'park'],
  ['where a bicycle is pushed on', { mode: 'BICYCLE' }, { mode: 'WALK' }, 'pause'],
  ['where a bicycle is mounted', { mode: 'WALK' }, { mode: 'BICYCLE' }, 'pause'],
] as const) {
  test(`the time ${what} is for what is done in it: ${pause}`, (t) => {
    const to = { vertexType: 'end' in before ? before.end : 'NORMAL' };
    t.is(pauseBetween({ ...before, to } as unknown as Leg, leg as unknown as Leg), pause);
  });
}
