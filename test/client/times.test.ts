/** Times around midnight, and days in distant time zones. */

import test from 'ava';
import { departuresOf, firstFrom, isAboutTrip, timeOfDay, timetableColumns } from '../../src/client/explore/calls.js';
import type { Call, StopDetails } from '../../src/client/explore/index-answers.js';
import { periodOf } from '../../src/client/operate/period.js';

const HOUR = 3600;

test('times of a service day go on after midnight, and may begin before it', (t) => {
  t.is(timeOfDay(8 * HOUR + 5 * 60), '08:05');
  t.is(timeOfDay(24 * HOUR + 30 * 60), '00:30');
  t.is(timeOfDay(-60), '23:59', 'a minute early at midnight');
});

test('the first run from a time on may leave after midnight', (t) => {
  const departures = [8, 23, 24.5].map((hours, i) => ({ trip: `t${i}`, departure: hours * HOUR }));
  const trips = departures.map(({ trip, departure }) => {
    const call = { scheduledDeparture: departure, realtimeDeparture: departure, realtime: false };
    return { gtfsId: trip, calls: [call] };
  });
  const columns = timetableColumns({ trips, departures });
  t.is(firstFrom(columns, '08:30'), 1);
  t.is(firstFrom(columns, '23:30'), 2);
  t.is(firstFrom(columns.slice(0, 2), '23:30'), -1);
});

test('a run that leaves two stops of a group in one minute is one departure', (t) => {
  const call = (gtfsId: string, scheduledDeparture: number) =>
    ({ trip: { gtfsId }, serviceDay: 0, scheduledDeparture, realtimeDeparture: -1 }) as Call;
  const stop = (gtfsId: string, calls: Call[]) =>
    ({ gtfsId, code: gtfsId, calls, stops: null }) as Partial<StopDetails>;
  const stops = [
    stop('a', [call('bus', 8 * HOUR + 30), call('shuttle', 9 * HOUR), call('shuttle', 9 * HOUR + 30)]),
    stop('b', [call('bus', 8 * HOUR), call('tram', 8 * HOUR + 10), call('bus', 8 * HOUR + 90)]),
  ] as StopDetails[];
  const shown = departuresOf(stops, 9).map(({ call, stop }) => [
    stop,
    call.trip.gtfsId,
    call.scheduledDeparture % HOUR,
  ]);
  t.deepEqual(shown, [
    ['b', 'bus', 0],
    ['b', 'tram', 10],
    ['b', 'bus', 90],
    ['a', 'shuttle', 0],
    ['a', 'shuttle', 30],
  ]);
  t.is(departuresOf(stops, 2).length, 2);
});

test('an alert about the trips of one day is not one about those of the next', (t) => {
  const trip = { gtfsId: '1:T', semanticHash: 'h', calls: [] };
  const days = ['2026-11-23', '2026-11-24'];
  t.deepEqual(
    days.map((day) => isAboutTrip({ serviceDate: '20261123' }, trip, day)),
    [true, false],
  );
  t.true(isAboutTrip({}, trip, '2026-11-24'));
});

test('an alert about one run of a line is not one about its other trips', (t) => {
  const trip = (hours: number) => ({
    gtfsId: `1:${hours}`,
    semanticHash: 'h' as string | null,
    calls: [{ scheduledDeparture: hours * HOUR }],
  });
  const trips = [8, 9].map(trip);
  const shownOn = (alert: object) =>
    trips.filter((one) => isAboutTrip(alert, one, '2026-11-23')).map(({ gtfsId }) => gtfsId);
  t.deepEqual(shownOn({ startTime: 8 * HOUR }), ['1:8']);
  t.deepEqual(shownOn({}), ['1:8', '1:9']);
  // One run of a trip with frequencies: the calls of the trip are those of no run.
  t.deepEqual(shownOn({ trip: '1:9', startTime: 8 * HOUR }), ['1:8', '1:9']);
  const unknown = { gtfsId: '1:7', semanticHash: 'h', calls: [] };
  t.true(isAboutTrip({ startTime: 8 * HOUR }, unknown, '2026-11-23'), 'calls are not known');
  trips.push({ ...trip(0), semanticHash: null });
  t.deepEqual(shownOn({ startTime: 8 * HOUR }), ['1:8', '1:0'], 'it may be a run of a trip with frequencies');
});

test('the days of a schedule are those of its own time zone', (t) => {
  const midnight = (date: string, hoursAhead: number) => Date.parse(date) / 1000 - hoursAhead * HOUR;
  for (const hoursAhead of [-10, -8, 0, 5.5, 12, 13]) {
    const period = {
      transitServiceStarts: midnight('2026-01-01', hoursAhead),
      transitServiceEnds: midnight('2027-01-01', hoursAhead),
    };
    t.deepEqual(periodOf(period), { first: '2026-01-01', last: '2026-12-31' }, `UTC ${hoursAhead}`);
  }
  // In New Zealand summer time ends with the first Sunday of April, which is an hour longer.
  const untilAutumn = {
    transitServiceStarts: midnight('2026-01-01', 13),
    transitServiceEnds: midnight('2026-04-06', 12),
  };
  t.is(periodOf(untilAutumn).last, '2026-04-05');
});
